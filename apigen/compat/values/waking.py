"""What a default does to structs that an object leaves out: they are not zero any more, and are judged."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.gating import is_off
from apigen.compat.surface.elements import Element, TypeName
from apigen.compat.surface.members import field_at
from apigen.compat.surface.resolving import definition
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Field, Struct
from apigen.compat.values.handling import filled, refusal, refusal_by_unions
from apigen.compat.values.hits import joined
from apigen.compat.values.member import Computed, Form, Member, member_of
from apigen.compat.verdict.example import Missing
from apigen.compat.verdict.impact import Direction, Hit, Hits, breaks, depends
from apigen.ir.model import Presence

HELD = frozenset({Presence.PLAIN, Presence.OMIT_EMPTY})
"""How fields hold a struct that is there whether an object has it or not."""


def woken(default: Surface, other: Surface, name: TypeName, field: Field) -> str:
    """Why objects that leave out a struct with a field are refused by the side on which its default fills it in.

    Empty where they are not, or where the other side judges the struct as well. A struct that is zero is left out and
    not judged (`omitEmpty`); with a default in it, it is neither.
    """
    if not _is_filled(member_of(default, field)):
        return ""
    for holder, inner in left_out_structs(default):
        if not any(each.name == name for each in parts_of(default, inner)):
            continue
        before = other.type(inner.name)
        if isinstance(before, Struct) and any(
            _is_filled(each) and not _is_cleared(each) for each in _members(other, before)
        ):
            continue
        reason = _refusal(default, inner)
        if reason:
            return f"{holder} is no longer zero, and {reason}"
    return ""


def refusal_when_woken(member: Member) -> str:
    """Why a struct that nobody sent is refused, as what its fields fill in makes it one that is there; empty where it is not."""
    held = member.struct if member.presence in HELD else None
    if held is None or not has_defaults(member.surface, held):
        return ""
    return _refusal(member.surface, held)


def woken_at(default: Surface, other: Surface, element: Element) -> str:
    """The same of an element, which is a field or something else, of which this says nothing."""
    field = field_at(default, element)
    return "" if field is None else woken(default, other, element.type_name, field)


def is_filled_at(surface: Surface, element: Element) -> bool:
    """Whether defaults make something of a field, or of the struct in it, that is left out."""
    field = field_at(surface, element)
    if field is None:
        return False
    member = member_of(surface, field)
    is_held = member.struct is not None and member.presence in HELD
    return _is_filled(member) or (is_held and _wakes(surface, member))


def of_added(hits: Hits, reason: str, *, ratchets: bool) -> dict[Direction, Hit]:
    """The effects of a new field or default, with those of the structs that its default wakes.

    `ratchets`: the side with the default does not validate unchanged values again.
    """
    sent = f"a client of before that leaves out a struct with it is refused: {reason}"
    stored = f"a stored object that leaves out a struct with it is not valid: {reason}"
    more = {Direction.OLD_CLIENT: breaks(sent)} | ({} if ratchets else {Direction.STORED: depends(stored)})
    return joined((more, hits)) if reason else dict(hits)


def of_removed(hits: Hits, reason: str, *, ratchets: bool) -> dict[Direction, Hit]:
    """The effects of a removed field or default, likewise: there the previous release rejects objects."""
    sent = f"a server of before refuses objects that leave out a struct with it: {reason}"
    stored = f"the release before finds objects that leave out a struct with it wrong: {reason}"
    more = {Direction.NEW_CLIENT: breaks(sent)} | ({} if ratchets else {Direction.ROLLBACK: depends(stored)})
    return joined((more, hits)) if reason else dict(hits)


def left_out_structs(surface: Surface) -> Iterator[tuple[str, Struct]]:
    """The fields that are left out where the struct in them is zero, with that struct."""
    for struct in surface.structs():
        for field in struct.fields.values():
            inner = definition(surface, field.slot.type) if field.presence is Presence.OMIT_EMPTY else None
            if isinstance(inner, Struct):
                yield f"{struct.name.name}.{field.name}", inner


def parts_of(surface: Surface, struct: Struct, presences: frozenset[Presence] = HELD) -> list[Struct]:
    """A struct and those that are there with it, whatever an object says; `presences` are those of fields that hold them."""
    found = {struct.name: struct}
    waiting = [struct]
    while waiting:
        for field in waiting.pop().fields.values():
            inner = definition(surface, field.slot.type) if field.presence in presences else None
            if isinstance(inner, Struct) and inner.name not in found:
                found[inner.name] = inner
                waiting.append(inner)
    return list(found.values())


def has_defaults(surface: Surface, struct: Struct) -> bool:
    """Whether a default fills in something of the struct, or of what is there with it."""
    return any(_is_filled(member) for member in _members(surface, struct))


def is_surely_woken(surface: Surface, struct: Struct) -> bool:
    """Whether one does so for certain: what is computed may come to nothing."""
    return any(_is_filled(each) and not isinstance(each.default, Computed) for each in _members(surface, struct))


def _members(surface: Surface, struct: Struct) -> Iterator[Member]:
    for part in parts_of(surface, struct):
        yield from (member_of(surface, field) for field in part.fields.values())


def _is_filled(member: Member) -> bool:
    """Whether a default makes something of nothing."""
    return not isinstance(member.default, Missing) and filled(member, member.start) != member.start


def _is_cleared(member: Member) -> bool:
    """Whether the gate of a field is off, so that a server clears what its default filled in."""
    return is_off(member.gate, member.surface)


def _refusal(surface: Surface, struct: Struct) -> str:
    """Why the struct with nothing but defaults is refused; a part that stays zero, and may, is not judged."""
    for part in parts_of(surface, struct):
        if part is not struct and not has_defaults(surface, part):
            continue
        for field in part.fields.values():
            member = member_of(surface, field)
            is_woken = member.form is Form.STRUCT and field.presence in HELD
            reason = "" if is_woken and _wakes(surface, member) else refusal(member, filled(member, member.start))
            if reason:
                return f"{field.name} in it is refused: {reason}"
        reason = refusal_by_unions(surface, part)
        if reason:
            return f"{part.name.name} is refused: {reason}"
    return ""


def _wakes(surface: Surface, member: Member) -> bool:
    return member.struct is not None and has_defaults(surface, member.struct)
