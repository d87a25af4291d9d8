"""The proof: for every field of every version whether it comes back from the hub, and from every other version."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from apigen.dataclass import dataclass
from apigen.hub.lenses.drop import ByHand
from apigen.hub.losses import KnownLosses, Types
from apigen.hub.model import HubModel
from apigen.hub.steps import Loss, Side, TypePlan
from apigen.ir.model import Struct
from apigen.ir.types import TypeId


class Verdict(StrEnum):
    """Whether a value comes back."""

    ALWAYS = "always"
    UNLESS = "unless"
    NEVER = "never"
    BY_HAND = "by hand"


@dataclass(frozen=True, slots=True)
class PlaceProof:
    """The verdict on one place of a type, with the conditions under which it is lost and what declares that."""

    place: str
    verdict: Verdict
    conditions: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TypeProof:
    """The verdicts on a type of a version: of its own places, and of the hub's places through it."""

    version: TypeId
    hub: TypeId
    fields: tuple[PlaceProof, ...]
    hub_places: tuple[PlaceProof, ...]
    declared: tuple[str, ...]


def prove(hub_model: HubModel, types: Types) -> Iterator[TypeProof]:
    """A proof for each struct of a version that converts, from the same plan that its code is written from."""
    known_losses = KnownLosses()
    for type_plan in hub_model.plans.values():
        struct = types[type_plan.version]
        assert isinstance(struct, Struct)
        losses = known_losses.own(type_plan, Side.VERSION)
        by_hand, in_hub = (_by_hand(type_plan, side) for side in (Side.VERSION, Side.HUB))
        fields = [_judge(f.json_name, losses, by_hand) for f in struct.fields]
        known = {f.place for f in fields}
        extra = dict.fromkeys(loss.place for loss in losses if not _is_below(loss.place, known))
        fields += [_judge(place, losses, by_hand) for place in extra]
        hub_losses = known_losses.own(type_plan, Side.HUB)
        places = dict.fromkeys(loss.place for loss in hub_losses)
        hub = [_judge(place, hub_losses, in_hub) for place in dict.fromkeys((*places, *in_hub))]
        declared = tuple(line for step in type_plan.steps if (line := step.describe()))
        yield TypeProof(type_plan.version, type_plan.hub, tuple(fields), tuple(hub), declared)


def _by_hand(plan: TypePlan, side: Side) -> dict[str, str]:
    return {s.place: s.reason for s in plan.steps if isinstance(s, ByHand) and s.side is side}


def _judge(place: str, losses: tuple[Loss, ...], by_hand: dict[str, str]) -> PlaceProof:
    if place in by_hand:
        return PlaceProof(place, Verdict.BY_HAND, (), (by_hand[place],))
    mine = [loss for loss in losses if loss.place == place or loss.place.startswith((f"{place}.", f"{place}["))]
    if not mine:
        return PlaceProof(place, Verdict.ALWAYS)
    declared = tuple(dict.fromkeys(loss.declared for loss in mine))
    whole = any(not loss.when and loss.place == place for loss in mine)
    conditions = tuple((f"{loss.place}: " if loss.place != place else "") + (loss.when or "it is set") for loss in mine)
    return PlaceProof(place, Verdict.NEVER if whole else Verdict.UNLESS, () if whole else conditions, declared)


def _is_below(place: str, known: set[str]) -> bool:
    return any(place == k or place.startswith((f"{k}.", f"{k}[")) for k in known)


def render_proof(hub_model: HubModel, types: Types, *, everything: bool = True) -> str:
    """The proof as text: per type, version and field what is lossless, under which condition, and what is declared.

    `everything`: also the fields that always come back; else they are counted.
    """
    proofs = list(prove(hub_model, types))
    lines: list[str] = []
    for proof in proofs:
        lines += _type_lines(proof, everything)
    lines += _pair_lines(hub_model, proofs)
    judged = [place for proof in proofs for place in proof.fields]
    counts = {verdict: sum(p.verdict is verdict for p in judged) for verdict in Verdict}
    lines.append(
        f"{len(judged)} fields of {len(proofs)} types: "
        + ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    )
    return "\n".join(lines) + "\n"


def _type_lines(proof: TypeProof, everything: bool) -> Iterator[str]:
    version = proof.version
    shown = [f for f in proof.fields if everything or f.verdict is not Verdict.ALWAYS]
    if not shown and not proof.hub_places:
        return
    yield f"{version.group}/{version.version} {version.name} <-> {proof.hub.group}/hub {proof.hub.name}"
    width = max((len(p.place) for p in (*shown, *proof.hub_places)), default=0)
    for place in shown:
        yield f"  {place.place:<{width}}  {_words(place)}"
    if proof.hub_places:
        yield "  places of the hub, through this version:"
        for place in proof.hub_places:
            yield f"    {place.place:<{width}}  {_words(place)}"
    for line in proof.declared:
        yield f"  declared: {line}"
    yield ""


def _words(place: PlaceProof) -> str:
    words = str(place.verdict)
    if place.verdict is Verdict.UNLESS:
        words += f" {'; or '.join(place.conditions)}"
    return f"{words}  [{'; '.join(place.declared)}]" if place.declared else words


def _pair_lines(hub_model: HubModel, proofs: list[TypeProof]) -> Iterator[str]:
    """For each ordered pair of versions of a type: what A -> hub -> B -> hub -> A does not return."""
    by_hub: dict[TypeId, list[TypeProof]] = {}
    for proof in proofs:
        by_hub.setdefault(proof.hub, []).append(proof)
    yield "From one version through another and back:"
    for hub, members in by_hub.items():
        for first in members:
            for second in members:
                if first is not second:
                    yield from _pair(hub_model, hub, first, second)
    yield ""


def _pair(hub_model: HubModel, hub: TypeId, first: TypeProof, second: TypeProof) -> Iterator[str]:
    lost = lost_through(hub_model, first, second)
    if lost:
        name = f"{first.version.group}/{first.version.version} through {second.version.group}/{second.version.version}"
        yield f"  {hub.name}: {name}"
        for place in lost:
            yield f"    {place.place}  {_words(place)}"


def lost_through(hub_model: HubModel, first: TypeProof, second: TypeProof) -> tuple[PlaceProof, ...]:
    """What one version does not get back through another one of the same hub type.

    Those are places of the hub that the first one has, has something of, or holds in something that it has.
    """
    plan: TypePlan = hub_model.plans[first.version]
    mine = {place for step in plan.steps for place in step.hub_places()}
    return tuple(p for p in second.hub_places if any(_touch(p.place, m) for m in mine))


def _touch(place: str, other: str) -> bool:
    return (
        place == other or place.startswith((f"{other}.", f"{other}[")) or other.startswith((f"{place}.", f"{place}["))
    )
