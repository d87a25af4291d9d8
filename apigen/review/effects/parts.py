"""The structs that are always present with a struct, and the defaults in them."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.ir.model import Presence
from apigen.ir.surface import Struct, Surface, definition
from apigen.review.effects.member import Computed, Member, member_of
from apigen.review.gating import is_disabled
from apigen.review.results import Missing

ALWAYS_WRITTEN = frozenset({Presence.PLAIN, Presence.OMIT_EMPTY})
"""The presences of fields whose struct exists even if an object omits it."""


def omitted_structs(surface: Surface) -> Iterator[tuple[str, Member, Struct]]:
    """Yield the fields that are omitted if their struct is zero, each with its name and that struct."""
    for struct in surface.structs():
        for field in struct.fields.values():
            inner = definition(surface, field.slot.type) if field.presence is Presence.OMIT_EMPTY else None
            if isinstance(inner, Struct):
                yield f"{struct.name.name}.{field.name}", member_of(surface, field), inner


def parts_of(surface: Surface, struct: Struct, presences: frozenset[Presence] = ALWAYS_WRITTEN) -> list[Struct]:
    """Return a struct and those that are always present with it; `presences` are those of fields that contain them."""
    found = {struct.name: struct}
    waiting = [struct]
    while waiting:
        for field in waiting.pop().fields.values():
            inner = definition(surface, field.slot.type) if field.presence in presences else None
            if isinstance(inner, Struct) and inner.name not in found:
                found[inner.name] = inner
                waiting.append(inner)
    return list(found.values())


def members_in(surface: Surface, struct: Struct) -> Iterator[Member]:
    """Yield the fields of a struct, and of the structs that are always present with it."""
    for part in parts_of(surface, struct):
        yield from (member_of(surface, field) for field in part.fields.values())


def is_filled(member: Member) -> bool:
    """Return whether the default of an unset field sets it."""
    return not isinstance(member.default, Missing) and member.initial != member.start


def has_defaults(surface: Surface, struct: Struct | None) -> bool:
    """Return whether a default sets something in the struct, or in structs that are always present with it."""
    return struct is not None and any(is_filled(each) for each in members_in(surface, struct))


def is_certainly_defaulted(surface: Surface, struct: Struct | None) -> bool:
    """Return whether a default certainly sets something there.

    A computed default may give no value, and a disabled gate clears its field.
    """
    members = () if struct is None else members_in(surface, struct)
    filled_members = (each for each in members if is_filled(each) and not isinstance(each.default, Computed))
    return any(not is_disabled(each.gate, surface) for each in filled_members)
