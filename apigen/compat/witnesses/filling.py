"""Values that a place accepts, as small as can be."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from apigen.compat.surface.constraints import Keyword
from apigen.compat.surface.members import field_of
from apigen.compat.surface.resolving import unfolded
from apigen.compat.surface.types import (
    Enum,
    EnumValue,
    Field,
    ListOf,
    MapOf,
    Named,
    Scalar,
    Scalars,
    Slot,
    Struct,
    Union,
)
from apigen.compat.values.enum_json import in_json
from apigen.compat.verdict.example import ABSENT, JsonValue, Missing
from apigen.compat.witnesses.sampling import Filled, Sampling
from apigen.ir.model import Presence

_DEEPEST = 8
_MOST_STRUCTS = 300
"""Structs of an object that are filled in: two members that lead on make twice as many at each step."""

_PLAIN: dict[Scalars, JsonValue] = {
    Scalars.INT_OR_STRING: 1,
    Scalars.RAW_EXTENSION: {},
    Scalars.FIELDS_V1: {},
    Scalars.ANYTHING: {},
    Scalars.NULL: None,
    Scalars.FLOAT32: 1.5,
    Scalars.FLOAT64: 1.5,
    Scalars.STRING: "a",
    Scalars.BOOL: True,
    Scalars.BYTES: "YQ==",
    Scalars.TIME: "2020-01-01T00:00:00Z",
    Scalars.MICRO_TIME: "2020-01-01T00:00:00.000000Z",
    Scalars.DURATION: "1s",
    Scalars.QUANTITY: "1",
}
"""A value of each type that has no constraints; of others a number."""

_MOST_VALUES = 5_000
"""Values of an object: a struct may have a hundred thousand members."""


class Fullness(IntEnum):
    """How much of a struct is filled in: what must be, what is always written, all."""

    REQUIRED = 0
    WRITTEN = 1
    ALL = 2


class Filling:
    """Makes up values from one side's schema."""

    def __init__(self, sampling: Sampling, fullness: Fullness = Fullness.REQUIRED) -> None:
        self._sampling = sampling
        self._surface = sampling.surface
        self._fullness = fullness
        self._left, self._left_values = _MOST_STRUCTS, _MOST_VALUES

    def begin(self) -> None:
        """Another object begins, which may have as many structs and values as the one before."""
        self._left, self._left_values = _MOST_STRUCTS, _MOST_VALUES

    def value(self, slot: Slot, depth: int = 0) -> JsonValue | Missing:
        """A value; ABSENT where none can be made up, or too many were."""
        self._left_values -= 1
        self._sampling.allowance.values -= 1
        if self._left_values < 0:
            return ABSENT
        found = unfolded(self._surface, slot)
        match found.type:
            case Named(name):
                type_ = self._surface.type(name)
                if isinstance(type_, Struct):
                    return ABSENT if depth > _DEEPEST or self._left <= 0 else self.struct(type_, depth)
                if not isinstance(type_, Enum):
                    return ABSENT
                chosen = value_of(type_.values.values())
                return chosen if isinstance(chosen, Missing) else in_json(chosen, type_)
            case ListOf(item):
                return self._list(found, item, depth)
            case MapOf(key, value):
                return self._map(found, key, value, depth)
            case Scalar(name) if not found.constraints:
                return _PLAIN.get(name, 1)
        made = self._sampling.values(slot, 1)
        return made[0] if made else ABSENT

    def struct(self, struct: Struct, depth: int = 0) -> dict[str, JsonValue]:
        """A struct with the members that it needs. What its members hold is shared with others like it."""
        key = self._fullness, struct.name, depth
        known = self._sampling.filled.get(key)
        if known is not None and known.structs < self._left and known.values < self._left_values:
            self._left -= known.structs
            self._left_values -= known.values
            self._sampling.allowance.values -= known.values
            return {**known.members}
        structs, values = self._left, self._left_values
        made = self._struct(struct, depth)
        if self._left > 0 and self._left_values > 0:  # nothing was left out
            self._sampling.filled[key] = Filled({**made}, structs - self._left, values - self._left_values)
        return made

    def _struct(self, struct: Struct, depth: int) -> dict[str, JsonValue]:
        self._left -= 1
        made: dict[str, JsonValue] = {}
        chosen = {name for union in struct.unions for name in self._chosen(union, struct)}
        left_out = {name for union in struct.unions for name in union.members} - chosen
        for field in struct.fields.values():
            if field.name in chosen or (field.name not in left_out and self._is_wanted(field)):
                value = self.value(field.slot, depth + 1)
                if not isinstance(value, Missing):
                    made[field.name] = value
        for union in struct.unions:
            self._discriminate(union, made)
        return made

    def _is_wanted(self, field: Field) -> bool:
        if field.gate is not None:
            return False
        if self._fullness is Fullness.ALL or field.required:
            return True
        return self._fullness is Fullness.WRITTEN and field.presence in (Presence.PLAIN, Presence.OMIT_EMPTY)

    def _chosen(self, union: Union, struct: Struct) -> list[str]:
        """The member of a union that is set, where one must be."""
        if union.optional or (union.discriminator is not None and union.empty):
            return []
        open_ = [name for name in union.members if name in struct.fields and struct.fields[name].gate is None]
        return open_[:1]

    def _discriminate(self, union: Union, made: dict[str, JsonValue]) -> None:
        if union.discriminator is None:
            return
        member = next((name for name in union.members if name in made), None)
        if member is not None:
            made[union.discriminator] = union.members[member] or member
        elif union.empty:
            made[union.discriminator] = union.empty[0]

    def _list(self, found: Slot, item: Slot, depth: int) -> JsonValue | Missing:
        needed = _least(found, Keyword.MIN_ITEMS)
        if needed > 1:
            return list(self._sampling.values(item, needed)) or ABSENT
        if depth > 0 and needed == 0 and self._fullness is not Fullness.ALL:
            return []
        value = self.value(item, depth + 1)
        return [] if isinstance(value, Missing) else [value]

    def _map(self, found: Slot, key: Slot, value: Slot, depth: int) -> JsonValue | Missing:
        needed = _least(found, Keyword.MIN_PROPERTIES)
        if needed == 0 and depth > 0 and self._fullness is not Fullness.ALL:
            return {}
        keys = self._sampling.values(key, max(needed, 1)) or ["a"]
        made = self.value(value, depth + 1)
        return {} if isinstance(made, Missing) else {str(each): made for each in keys}


def value_of(values: Iterable[EnumValue]) -> str | Missing:
    """The first value of an enum that no gate guards; where each is guarded, the first. No more are looked at than must be."""
    guarded: str | Missing = ABSENT
    has_open = False
    for each in values:
        if each.gate is None:
            if each.value:
                return each.value
            has_open = True
        elif isinstance(guarded, Missing) and each.value:
            guarded = each.value
    return ABSENT if has_open else guarded


def discriminated(struct: Struct, made: dict[str, JsonValue], member: str) -> None:
    """Make a struct agree with its unions after a member was put into it: the others go, the discriminator follows."""
    field = field_of(struct, member)
    for union in struct.unions:
        if field is not None and field.name in union.members:
            for other in union.members:
                if other != field.name:
                    made.pop(other, None)
            if union.discriminator is not None:
                made[union.discriminator] = union.members[field.name] or field.name


def _least(slot: Slot, keyword: Keyword) -> int:
    said = slot.constraints.get(keyword)
    return int(said.value) if said is not None and isinstance(said.value, int | float) else 0
