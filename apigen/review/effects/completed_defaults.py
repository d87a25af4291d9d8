"""The value that a server stores for a default: it sets the defaults of the fields in it, too."""

from __future__ import annotations

from apigen.dataclass import dataclass
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

_MOST_SET = 1_000
"""The number of defaults inside a default up to which they are followed: it grows exponentially with the nesting of types."""


def completed_default(member: Member) -> JsonValue | Missing | Computed:
    """Return the value that the default of a field sets, with the defaults of the fields in it; missing if these are too many.

    A computed default of a field in it sets nothing here, because its result is unknown.
    """
    if isinstance(member.default, Missing | Computed):
        return member.default
    completion = _Completion(member.surface)
    found = completion.completed(member.slot.type, member.default, frozenset())
    return found if completion.left >= 0 else Missing()


@dataclass(slots=True)
class _Completion:
    """Sets the defaults in one value. `left` is the number of defaults that may still be set; negative after too many."""

    surface: Surface
    left: int = _MOST_SET

    def completed(self, type_: Type, value: JsonValue, filled: frozenset[TypeName]) -> JsonValue:
        """Return a value of a type with its defaults; those of the types in `filled`, which contain it, are not set again."""
        match behind(self.surface, type_), value:
            case ListOf(item), list():
                return [self.completed(item.type, each, filled) for each in value]
            case MapOf(_, inner), dict():
                return {key: self.completed(inner.type, each, filled) for key, each in value.items()}
        struct = definition(self.surface, type_)
        if not isinstance(struct, Struct) or not isinstance(value, dict):
            return value
        found = dict(value)
        for name, field in struct.fields.items():
            if name in value:
                found[name] = self.completed(field.slot.type, value[name], filled)
            elif struct.name not in filled and self.left >= 0:
                default = _default_on_read(without_aliases(self.surface, field.slot))
                if not isinstance(default, Missing | Computed):
                    self.left -= 1
                    found[name] = self.completed(field.slot.type, default, filled | {struct.name})
        return found


def _default_on_read(slot: Slot) -> JsonValue | Missing | Computed:
    """Return the value that a default sets; some defaults only describe what servers do (JSON Schema, OpenAPI)."""
    is_filled = slot.default is not None and slot.default.is_read_time
    return default_value(slot.default) if is_filled else Missing()
