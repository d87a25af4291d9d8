"""Resolve the aliases of a slot's type, and collect their constraints."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.review.surface import Alias, Constraints, Named, Slot, Surface, Type, TypeDef

_MOST_NAMES = 50


@dataclass(frozen=True, slots=True)
class Unfolded:
    """A type that is not an alias, with the constraints of its aliases; `type` is `None` if an alias cannot be resolved."""

    type: Type | TypeDef | None
    constraints: tuple[Constraints, ...]


def unfold(slot: Slot, surface: Surface) -> Unfolded:
    """Resolve the aliases of a slot's type."""
    constraints = [slot.constraints]
    type_: Type = slot.type
    for _ in range(_MOST_NAMES):
        if not isinstance(type_, Named):
            return Unfolded(type_, tuple(constraints))
        found = surface.type(type_.name)
        if not isinstance(found, Alias):
            return Unfolded(found, tuple(constraints))
        constraints.append(found.slot.constraints)
        type_ = found.slot.type
    return Unfolded(None, tuple(constraints))
