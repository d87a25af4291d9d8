"""Whether an object without a field is refused."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.ir.model import Enum, Field, Presence, TypeDef
from apigen.ir.types import EnumType, TypeId, underlying


def must_be_set(member: Field, types: Mapping[TypeId, TypeDef]) -> bool:
    """Whether it is an error when the field is unset, so far as that can be told.

    A number, text or structure that is always written cannot be told from one that was left out, so nothing is said
    about those; but an enum that is not open has no empty value, and `None` is nothing.
    """
    if not member.required:
        return False
    behind = underlying(member.type)
    enum = types.get(behind.id) if isinstance(behind, EnumType) else None
    if member.presence is Presence.PLAIN and isinstance(enum, Enum) and not enum.open:
        return True
    return member.can_be_none or member.presence is Presence.OMIT_EMPTY
