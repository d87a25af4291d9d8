"""The value that a server stores for a default: it sets the defaults of the fields in it, too."""

from __future__ import annotations

from apigen.language.json_values import JsonValue
from apigen.review.effects.member import Computed, Member, default_value
from apigen.review.results import Missing
from apigen.review.surface import (
    ListOf,
    MapOf,
    Slot,
    Struct,
    Surface,
    Type,
    TypeName,
    behind,
    definition,
    without_aliases,
)


def completed_default(member: Member) -> JsonValue | Missing | Computed:
    """Return the value that the default of a field sets, with the defaults of the fields in it.

    A computed default of a field in it sets nothing here, because its result is unknown.
    """
    if isinstance(member.default, Missing | Computed):
        return member.default
    return _completed(member.surface, member.slot.type, member.default, frozenset())


def _completed(surface: Surface, type_: Type, value: JsonValue, filled: frozenset[TypeName]) -> JsonValue:
    match behind(surface, type_), value:
        case ListOf(item), list():
            return [_completed(surface, item.type, each, filled) for each in value]
        case MapOf(_, inner), dict():
            return {key: _completed(surface, inner.type, each, filled) for key, each in value.items()}
    struct = definition(surface, type_)
    if not isinstance(struct, Struct) or not isinstance(value, dict):
        return value
    found = dict(value)
    for name, field in struct.fields.items():
        if name in value:
            found[name] = _completed(surface, field.slot.type, value[name], filled)
        elif struct.name not in filled:  # a default of a type that contains itself would have no end
            default = _default_on_read(without_aliases(surface, field.slot))
            if not isinstance(default, Missing | Computed):
                found[name] = _completed(surface, field.slot.type, default, filled | {struct.name})
    return found


def _default_on_read(slot: Slot) -> JsonValue | Missing | Computed:
    """Return the value that a default sets; some defaults only describe what servers do (JSON Schema, OpenAPI)."""
    is_filled = slot.default is not None and slot.default.is_read_time
    return default_value(slot.default) if is_filled else Missing()
