"""Objects of one side, generated from its schema, within an allowance of values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from enum import IntEnum
from typing import TypeVar

from apigen.dataclass import dataclass
from apigen.ir.model import Presence
from apigen.language.json_values import JsonValue
from apigen.review.counterexamples.running import api_version
from apigen.review.effects.scalars import in_json
from apigen.review.links import ITEM, KEY, VALUE, Route
from apigen.review.prover.samples import samples
from apigen.review.results import ABSENT, Missing
from apigen.review.surface import (
    Element,
    ElementKind,
    Enum,
    EnumValue,
    Field,
    Keyword,
    ListOf,
    MapOf,
    Named,
    Scalar,
    Scalars,
    Slot,
    Struct,
    Surface,
    TypeName,
    Union,
    field_of,
    without_aliases,
)

VALUES = 500_000
"""Maximum number of values that are generated for objects of one review."""

FIELDS = 16_000
"""Maximum number of fields of the compiled types, on both sides together. All of Kubernetes' API has 4,350."""

TOO_MUCH = "no search was made, because compiling its types or generating objects would take too long"


@dataclass
class Allowance:
    """The remaining numbers of values and of fields."""

    values: int = VALUES
    fields: int = FIELDS

    @property
    def is_spent(self) -> bool:
        """Return whether the number of values is used up."""
        return self.values <= 0

    def takes_fields(self, count: int) -> bool:
        """Take `count` fields from the allowance; return whether it had that many."""
        if count > self.fields:
            return False
        self.fields -= count
        return True


@dataclass(frozen=True, slots=True)
class Filled:
    """The generated fields of a struct, and how many structs and values they contain."""

    members: dict[str, JsonValue]
    structs: int
    values: int


class Sampling:
    """Generate values for the slots of a surface and cache them; `allowance` limits the number of values."""

    def __init__(self, surface: Surface, allowance: Allowance | None = None) -> None:
        self.surface = surface
        self.allowance = allowance or Allowance()
        self.filled: dict[tuple[int, TypeName, int, tuple[int, int] | None], Filled] = {}
        """By fullness, type and depth; last, if a limit was reached, the structs and values that remained before."""
        self._made: dict[tuple[int, int], tuple[Slot, list[JsonValue]]] = {}

    def values(self, slot: Slot, number: int) -> list[JsonValue]:
        """Return `number` different values that a slot accepts; an empty list if they cannot be generated."""
        key = id(slot), number
        if key not in self._made:  # the slot is kept with its values, so that no other one gets its id
            self._made[key] = slot, samples(slot, self.surface, number) or []
        return self._made[key][1]


V = TypeVar("V", bound=JsonValue | Missing)


def distinct(values: Iterable[V]) -> Iterator[V]:
    """Yield different values, in order."""
    seen: set[str] = set()
    for value in values:
        key = "absent" if isinstance(value, Missing) else json.dumps(value, sort_keys=True)
        if key not in seen:
            seen.add(key)
            yield value


_DEEPEST_STRUCT = 8
_MOST_STRUCTS = 300
"""Maximum number of generated structs in an object: two recursive fields double it at each level."""

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
"""A value of each scalar type without constraints; of other types a number."""

_MOST_VALUES = 5_000
"""Maximum number of values in an object: a struct may have a hundred thousand fields."""


class Fullness(IntEnum):
    """The fields of a struct to generate: required ones, those that are always written, all."""

    REQUIRED = 0
    WRITTEN = 1
    ALL = 2


class Filling:
    """Generate values from the schema of one side."""

    def __init__(self, sampling: Sampling, fullness: Fullness = Fullness.REQUIRED) -> None:
        self._sampling = sampling
        self._surface = sampling.surface
        self._fullness = fullness
        self._left, self._left_values = _MOST_STRUCTS, _MOST_VALUES

    def begin(self) -> None:
        """Start another object, with the full limits of structs and values."""
        self._left, self._left_values = _MOST_STRUCTS, _MOST_VALUES

    def value(self, slot: Slot, depth: int = 0) -> JsonValue | Missing:
        """Return a value; ABSENT if none can be generated, or a limit is reached."""
        self._left_values -= 1
        self._sampling.allowance.values -= 1
        if self._left_values < 0:
            return ABSENT
        unfolded = without_aliases(self._surface, slot)
        match unfolded.type:
            case Named(name):
                type_ = self._surface.type(name)
                if isinstance(type_, Struct):
                    return ABSENT if depth > _DEEPEST_STRUCT or self._left <= 0 else self.struct(type_, depth)
                if not isinstance(type_, Enum):
                    return ABSENT
                chosen = value_of(type_.values.values())
                return chosen if isinstance(chosen, Missing) else in_json(chosen, type_)
            case ListOf(item):
                return self._list(unfolded, item, depth)
            case MapOf(key, value):
                return self._map(unfolded, key, value, depth)
            case Scalar(name) if not unfolded.constraints:
                return _PLAIN.get(name, 1)
        values = self._sampling.values(slot, 1)
        return values[0] if values else ABSENT

    def struct(self, struct: Struct, depth: int = 0) -> dict[str, JsonValue]:
        """Return a struct with its required fields. Their values are shared with other structs of the type."""
        key = self._fullness, struct.name, depth
        limits = self._left, self._left_values
        known = self._sampling.filled.get((*key, None))
        if known is None or known.structs >= self._left or known.values >= self._left_values:
            known = self._sampling.filled.get((*key, limits))
        if known is not None:
            self._left -= known.structs
            self._left_values -= known.values
            self._sampling.allowance.values -= known.values
            return {**known.members}
        members = self._struct(struct, depth)
        is_complete = self._left > 0 and self._left_values > 0
        filled = Filled({**members}, limits[0] - self._left, limits[1] - self._left_values)
        self._sampling.filled[(*key, None if is_complete else limits)] = filled
        return members

    def _struct(self, struct: Struct, depth: int) -> dict[str, JsonValue]:
        self._left -= 1
        members: dict[str, JsonValue] = {}
        chosen = {name for union in struct.unions for name in self._chosen(union, struct)}
        left_out = {name for union in struct.unions for name in union.members} - chosen
        for field in struct.fields.values():
            if self._left_values <= 0:
                break
            if field.name in chosen or (field.name not in left_out and self._is_wanted(field)):
                value = self.value(field.slot, depth + 1)
                if not isinstance(value, Missing):
                    members[field.name] = value
        for union in struct.unions:
            self._discriminate(union, members)
        return members

    def _is_wanted(self, field: Field) -> bool:
        if field.gate is not None:
            return False
        if self._fullness is Fullness.ALL or field.required:
            return True
        return self._fullness is Fullness.WRITTEN and field.presence in (Presence.PLAIN, Presence.OMIT_EMPTY)

    def _chosen(self, union: Union, struct: Struct) -> list[str]:
        """Return the member of a union to set, as a list; empty if none is required."""
        if union.optional or (union.discriminator is not None and union.empty):
            return []
        open_ = [name for name in union.members if name in struct.fields and struct.fields[name].gate is None]
        return open_[:1]

    def _discriminate(self, union: Union, members: dict[str, JsonValue]) -> None:
        if union.discriminator is None:
            return
        member = next((name for name in union.members if name in members), None)
        if member is not None:
            members[union.discriminator] = union.members[member] or member
        elif union.empty:
            members[union.discriminator] = union.empty[0]

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
        generated = self.value(value, depth + 1)
        return {} if isinstance(generated, Missing) else {str(each): generated for each in keys}


def value_of(values: Iterable[EnumValue]) -> str | Missing:
    """Return the first value of an enum without a gate, or else the first value. Stops at the first match."""
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


def discriminated(struct: Struct, members: dict[str, JsonValue], member: str) -> None:
    """Adjust a struct to its unions after a field was set: remove other members, and set the discriminator."""
    field = field_of(struct, member)
    for union in struct.unions:
        if field is not None and field.name in union.members:
            for other in union.members:
                if other != field.name:
                    members.pop(other, None)
            if union.discriminator is not None:
                members[union.discriminator] = union.members[field.name] or field.name


def _least(slot: Slot, keyword: Keyword) -> int:
    constraint = slot.constraints.get(keyword)
    return int(constraint.value) if constraint is not None and isinstance(constraint.value, int | float) else 0


NAME = "example"
_STEP = re.compile(r"\[\]|\{key\}|\{\}")

Surroundings = tuple[tuple[str, JsonValue], ...]


class Placing:
    """Builds objects of one side."""

    def __init__(self, sampling: Sampling, fullness: Fullness = Fullness.REQUIRED) -> None:
        self._surface = sampling.surface
        self._filling = Filling(sampling, fullness)

    def steps(self, element: Element) -> tuple[str, ...]:
        """Return the steps to an element from the type that contains it."""
        type_ = self._surface.type(element.type_name)
        if element.kind in (ElementKind.ENUM_VALUE, ElementKind.UNION, ElementKind.TOMBSTONE) or not element.path:
            return ()
        field = field_of(type_, element.path) if isinstance(type_, Struct) else None
        if field is None:
            return tuple(_STEP.findall(element.path)) if element.path[0] in "[{" else ()
        return (field.name, *_STEP.findall(element.path[len(field.name) :]))

    def object(
        self, route: Route, steps: tuple[str, ...], value: JsonValue | Missing, siblings: Surroundings
    ) -> JsonValue:
        """Return an object of the route's kind with a value at the end of the route and of `steps`."""
        root = self._surface.type(route.kind.root)
        slot = root.slot if isinstance(root, Struct) else None
        placed = {} if slot is None else self.inside(slot, (*route.steps, *steps), value, siblings, len(steps))
        found = placed if isinstance(placed, dict) else {}
        metadata = found.get("metadata")
        header: dict[str, JsonValue] = {"apiVersion": api_version(route.version), "kind": route.kind.kind}
        header["metadata"] = {"name": NAME, **metadata} if isinstance(metadata, dict) else {"name": NAME}
        return {**header, **{name: each for name, each in found.items() if name not in header}}

    def inside(
        self, slot: Slot, steps: tuple[str, ...], value: JsonValue | Missing, siblings: Surroundings = (), own: int = 0
    ) -> JsonValue | Missing:
        """Return a value of a slot with `value` at the end of steps, of which the last `own` are inside the type of
        `siblings`.
        """
        self._filling.begin()
        return self._put(slot, steps, value, siblings, own)

    def _put(
        self, slot: Slot, steps: tuple[str, ...], value: JsonValue | Missing, siblings: Surroundings, own: int
    ) -> JsonValue | Missing:
        """Return a value of a slot with `value` at the end of steps; `own`: the number of steps inside the type of the
        element.
        """
        if not steps:
            return value
        step, rest = steps[0], steps[1:]
        unfolded = without_aliases(self._surface, slot)
        match unfolded.type:
            case ListOf(item) if step == ITEM:
                return _listed(self._put(item, rest, value, siblings, own))
            case MapOf(_, inner) if step == VALUE:
                generated = self._put(inner, rest, value, siblings, own)
                return {} if isinstance(generated, Missing) else {"a": generated}
            case MapOf(_, inner) if step == KEY:
                generated = self._filling.value(inner, 1)
                return {str(value): None if isinstance(generated, Missing) else generated}
            case Named(name):
                struct = self._surface.type(name)
                return self._member(struct, steps, value, siblings, own) if isinstance(struct, Struct) else ABSENT
        return ABSENT

    def _member(
        self, struct: Struct, steps: tuple[str, ...], value: JsonValue | Missing, siblings: Surroundings, own: int
    ) -> JsonValue | Missing:
        name, rest = steps[0], steps[1:]
        members = self._filling.struct(struct)
        field = struct.fields.get(name)
        inner = self._put(field.slot, rest, value, siblings, own) if field is not None else value
        if isinstance(inner, Missing):
            members.pop(name, None)
        else:
            members[name] = inner
            discriminated(struct, members, name)
        if own == len(steps):
            members.update(deepcopy(dict(siblings)))
        return members


def _listed(value: JsonValue | Missing) -> JsonValue:
    return [] if isinstance(value, Missing) else [value]
