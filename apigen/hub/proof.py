"""The proof of types: for every field of every version, whether a round trip through the hub preserves a value."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from apigen.dataclass import dataclass
from apigen.hub.lenses.drop import ByHand
from apigen.hub.losses import KnownLosses, Types
from apigen.hub.model import HubModel
from apigen.hub.steps import Loss, Side, TypePlan
from apigen.ir.model import struct_of
from apigen.ir.types import TypeId


class Preservation(StrEnum):
    """Whether a round trip preserves a value."""

    ALWAYS = "always"
    UNLESS = "unless"
    NEVER = "never"
    BY_HAND = "by hand"


@dataclass(frozen=True, slots=True)
class PlaceProof:
    """The result for one place of a type, with its losses; `reason` is that of a hand-written conversion."""

    place: str
    preservation: Preservation
    losses: tuple[Loss, ...] = ()
    reason: str = ""

    def sentences(self) -> tuple[str, ...]:
        """Return a sentence for each loss, and for a field that is not verified."""
        if self.preservation is Preservation.BY_HAND:
            return (hand_written_sentence(self.place, self.reason),)
        return tuple(dict.fromkeys(loss.sentence() for loss in self.losses))


def hand_written_sentence(place: str, reason: str) -> str:
    """Return the sentence for a field that a hand-written function converts."""
    return f"`{place}` is not verified, because a hand-written function converts it [{reason}]"


@dataclass(frozen=True, slots=True)
class TypeProof:
    """The results for a type of a version: for its own places, and for the hub's places through it."""

    version: TypeId
    hub: TypeId
    fields: tuple[PlaceProof, ...]
    hub_places: tuple[PlaceProof, ...]


def prove(hub_model: HubModel, types: Types) -> Iterator[TypeProof]:
    """Yield a proof for each converted struct of a version, from the plan from which its code is generated."""
    known_losses = KnownLosses()
    for type_plan in hub_model.plans.values():
        struct = struct_of(type_plan.version, types)
        losses = known_losses.own(type_plan, Side.VERSION)
        by_hand, in_hub = (_by_hand(type_plan, side) for side in (Side.VERSION, Side.HUB))
        fields = [_prove_place(f.json_name, losses, by_hand) for f in struct.fields]
        known = {f.place for f in fields}
        extra = dict.fromkeys(loss.place for loss in losses if not _is_below(loss.place, known))
        fields += [_prove_place(place, losses, by_hand) for place in extra]
        hub_losses = known_losses.own(type_plan, Side.HUB)
        places = dict.fromkeys(loss.place for loss in hub_losses)
        hub = [_prove_place(place, hub_losses, in_hub) for place in dict.fromkeys((*places, *in_hub))]
        yield TypeProof(type_plan.version, type_plan.hub, tuple(fields), tuple(hub))


def _by_hand(plan: TypePlan, side: Side) -> dict[str, str]:
    return {s.place: s.reason for s in plan.steps if isinstance(s, ByHand) and s.side is side}


def _prove_place(place: str, losses: tuple[Loss, ...], by_hand: dict[str, str]) -> PlaceProof:
    if place in by_hand:
        return PlaceProof(place, Preservation.BY_HAND, (), by_hand[place])
    losses_here = tuple(
        loss for loss in losses if loss.place == place or loss.place.startswith((f"{place}.", f"{place}["))
    )
    is_always_lost = any(not loss.when and loss.place == place for loss in losses_here)
    return PlaceProof(
        place,
        Preservation.NEVER if is_always_lost else Preservation.UNLESS if losses_here else Preservation.ALWAYS,
        losses_here,
    )


def _is_below(place: str, known: set[str]) -> bool:
    return any(place == k or place.startswith((f"{k}.", f"{k}[")) for k in known)
