"""The proof of types: the values of every field of every version that a round trip through the hub does not preserve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.dataclass import dataclass
from apigen.hub.lenses.drop import ByHand
from apigen.hub.losses import KnownLosses, Types
from apigen.hub.model import HubModel
from apigen.hub.steps import Loss, Side, TypePlan
from apigen.ir.model import TypeId, struct_of

Sentences = Mapping[str, tuple[str, ...]]
"""The sentences about the values of each place that are lost, or not verified; none if every value is preserved."""


@dataclass(frozen=True, slots=True)
class TypeProof:
    """The results for a type of a version: for its own places, and for the hub's places through it."""

    version: TypeId
    fields: Sentences
    hub_places: Sentences


def prove(hub_model: HubModel, types: Types) -> Iterator[TypeProof]:
    """Yield a proof for each converted struct of a version, from the plan from which its code is generated."""
    known_losses = KnownLosses()
    for plan in hub_model.plans.values():
        names = [field.json_name for field in struct_of(plan.version, types).fields]
        losses = known_losses.own(plan, Side.VERSION)
        others = (loss.place for loss in losses if not any(_is_in(loss.place, name) for name in names))
        hub_losses, by_hand = known_losses.own(plan, Side.HUB), _by_hand(plan, Side.HUB)
        yield TypeProof(
            plan.version,
            _sentences((*names, *others), losses, _by_hand(plan, Side.VERSION)),
            _sentences((*(loss.place for loss in hub_losses), *by_hand), hub_losses, by_hand),
        )


def hand_written_sentence(place: str, reason: str) -> str:
    """Return the sentence for a field that a hand-written function converts."""
    return f"`{place}` is not verified, because a hand-written function converts it [{reason}]"


def _by_hand(plan: TypePlan, side: Side) -> Sentences:
    """Return the places that hand-written functions convert, with the sentence of each."""
    steps = (step for step in plan.steps if isinstance(step, ByHand) and step.side is side)
    return {step.place: (hand_written_sentence(step.place, step.reason),) for step in steps}


def _sentences(places: Iterable[str], losses: tuple[Loss, ...], by_hand: Sentences) -> Sentences:
    """Return the sentences about each place: that of a hand-written function, or those of all losses in it."""
    found: dict[str, tuple[str, ...]] = {}
    for place in places:
        lost = (loss.sentence() for loss in losses if _is_in(loss.place, place))
        found[place] = by_hand.get(place) or tuple(dict.fromkeys(lost))
    return found


def _is_in(place: str, outer: str) -> bool:
    return place == outer or place.startswith((f"{outer}.", f"{outer}["))
