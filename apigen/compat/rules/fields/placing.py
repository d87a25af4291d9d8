"""Where a field of a change stands, on both sides."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.inclusion.regex.undecidable import Undecidable
from apigen.compat.inclusion.texts import machine
from apigen.compat.surface.constraints import Keyword
from apigen.compat.surface.elements import Element
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Field, Scalar, Scalars, Struct, UnknownFields
from apigen.compat.values.arriving import added_hits, removed_hits
from apigen.compat.values.beside import refusal_of_default
from apigen.compat.values.conditions import Beside, hits_under_conditions
from apigen.compat.values.hits import joined
from apigen.compat.values.member import Member
from apigen.compat.verdict.impact import Direction, Hit, Hits, depends


def added_field(change: AnyChange) -> Field | None:
    """The field that was added; None for all else, and for a name that no member may have."""
    field = change.part if isinstance(change, Added) and isinstance(change.part, Field) else None
    return None if field is None or is_excluded(field) else field


def removed_field(change: AnyChange) -> Field | None:
    """The field that was removed; None for all else, and for a name that no member could have."""
    field = change.part if isinstance(change, Removed) and isinstance(change.part, Field) else None
    return None if field is None or is_excluded(field) else field


def is_excluded(field: Field) -> bool:
    """Whether a schema names a member to say that there is none (`false`); one of specs has a type, and may come to be allowed."""
    is_forbidden = Keyword.FORBIDDEN in field.slot.constraints and not field.required
    return is_forbidden and field.slot.type == Scalar(Scalars.ANYTHING)


def struct_of(surface: Surface, element: Element) -> Struct | None:
    """The struct that an element is or stands in, as a side has it."""
    type_ = surface.type(element.type_name)
    return type_ if isinstance(type_, Struct) else None


def holder_of(change: AnyChange) -> Struct | None:
    """The struct that a field was added to or removed from, as the new side has it."""
    if isinstance(change, Added | Removed) and isinstance(change.holder, Struct):
        return change.holder
    return None


def unknown_in(surface: Surface, change: AnyChange, context: Context) -> tuple[UnknownFields, ...]:
    """What a side that does not know the member of a change does with it; several, where it is not known which."""
    found = struct_of(surface, change.element)
    if found is None:
        found = holder_of(change) if surface is context.new else None
    if found is None:
        return (UnknownFields.DROPPED,)
    if found.unknown is UnknownFields.EMPTIED:
        return (UnknownFields.DROPPED, UnknownFields.KEPT)
    if found.unknown is not UnknownFields.REFUSED:
        return (found.unknown,)
    try:
        is_named = any(machine(pattern).finds(change.element.path) for pattern in found.patterns)
    except Undecidable:
        return (UnknownFields.REFUSED, UnknownFields.KEPT)
    return (UnknownFields.KEPT if is_named else UnknownFields.REFUSED,)


def hits_of_added(member: Member, change: AnyChange, context: Context) -> dict[Direction, Hit]:
    """What becomes of a field that the old side does not know."""
    hits = joined(added_hits(member, each) for each in unknown_in(context.old, change, context))
    reason = _refusal_of_default(member, change, context.new, context.old)
    if not reason:
        return hits
    more = {Direction.OLD_CLIENT: depends(f"a client of before, which does not send it, may be refused: {reason}")}
    if not context.new.ratchets:
        more[Direction.STORED] = depends(f"a stored object without it may be refused: {reason}")
    return joined((hits, more))


def hits_of_removed(member: Member, change: AnyChange, context: Context) -> dict[Direction, Hit]:
    """What becomes of a field that the new side does not know any more."""
    hits = joined(removed_hits(member, each) for each in unknown_in(context.new, change, context))
    reason = _refusal_of_default(member, change, context.old, context.new)
    if not reason:
        return hits
    more = {Direction.NEW_CLIENT: depends(f"a server of before may refuse objects without it: {reason}")}
    if not context.old.ratchets:
        more[Direction.ROLLBACK] = depends(f"the release before may refuse objects without it: {reason}")
    return joined((hits, more))


def demands_of(
    member: Member, change: AnyChange, sides: tuple[Surface, Surface], refused: Mapping[Direction, str]
) -> Hits:
    """What the side that knows a field (the first one) asks of it under conditions; `refused` says in each direction who is."""
    knows, other = sides
    holder = struct_of(knows, change.element)
    if holder is None:
        return {}
    return hits_under_conditions(member, Beside(knows, holder, other, struct_of(other, change.element)), refused)


def _refusal_of_default(member: Member, change: AnyChange, knows: Surface, other: Surface) -> str:
    holder = struct_of(knows, change.element)
    return "" if holder is None else refusal_of_default(member, holder, struct_of(other, change.element))


def tombstone_of(holder: Struct | None, name: str) -> bool:
    """Whether the struct keeps a name from coming back."""
    return holder is not None and any(stone.name == name for stone in holder.tombstones)
