"""Where a field of a change stands, on both sides."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.surface.elements import Element
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Field, Struct, UnknownFields


def added_field(change: AnyChange) -> Field | None:
    """The field that was added; None for all else."""
    return change.part if isinstance(change, Added) and isinstance(change.part, Field) else None


def removed_field(change: AnyChange) -> Field | None:
    """The field that was removed; None for all else."""
    return change.part if isinstance(change, Removed) and isinstance(change.part, Field) else None


def struct_of(surface: Surface, element: Element) -> Struct | None:
    """The struct that an element is or stands in, as a side has it."""
    type_ = surface.type(element.type_name)
    return type_ if isinstance(type_, Struct) else None


def holder_of(change: AnyChange) -> Struct | None:
    """The struct that a field was added to or removed from, as the new side has it."""
    if isinstance(change, Added | Removed) and isinstance(change.holder, Struct):
        return change.holder
    return None


def unknown_in(surface: Surface, change: AnyChange, context: Context) -> UnknownFields:
    """What a side does with a member that it does not know, in the struct of a change."""
    found = struct_of(surface, change.element)
    if found is None:
        found = holder_of(change) if surface is context.new else None
    return UnknownFields.DROPPED if found is None else found.unknown


def tombstone_of(holder: Struct | None, name: str) -> bool:
    """Whether the struct keeps a name from coming back."""
    return holder is not None and any(stone.name == name for stone in holder.tombstones)
