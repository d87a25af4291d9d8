"""Resolve the aliases of a slot's type, and collect their constraints."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.review.surface import Alias, Constraints, Named, Slot, Surface, Type, TypeDef, aliases_of


@dataclass(frozen=True, slots=True)
class Unfolded:
    """A type that is not an alias, with the constraints of its aliases; `type` is `None` if an alias cannot be resolved."""

    type: Type | TypeDef | None
    constraints: tuple[Constraints, ...]


def unfold(slot: Slot, surface: Surface) -> Unfolded:
    """Resolve the aliases of a slot's type."""
    aliases = [*aliases_of(surface, slot.type)]
    type_: Type | TypeDef | None = aliases[-1].slot.type if aliases else slot.type
    if isinstance(type_, Named):
        named = surface.type(type_.name)
        type_ = None if isinstance(named, Alias) else named
    return Unfolded(type_, (slot.constraints, *(alias.slot.constraints for alias in aliases)))
