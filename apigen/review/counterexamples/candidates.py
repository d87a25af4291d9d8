"""Generate objects that may show the effect of a change of an element."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from enum import IntEnum
from itertools import chain, islice, product
from typing import TypeVar

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place
from apigen.ir.model import Presence
from apigen.ir.surface import (
    Constraint,
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
    TypeDef,
    Union,
    field_of,
    member_at,
    members_of,
    nested_in,
    slot_at,
    without_aliases,
)
from apigen.language.json_values import JsonValue
from apigen.review.counterexamples.outcome import path_of
from apigen.review.counterexamples.running import api_version
from apigen.review.effects.scalars import in_json
from apigen.review.links import ITEM, KEY, VALUE, Route, Routes
from apigen.review.prover.samples import samples
from apigen.review.results import ABSENT, Missing

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


class Sampling:
    """Generate values for the slots of a surface and cache them; `allowance` limits the number of values."""

    def __init__(self, surface: Surface, allowance: Allowance | None = None) -> None:
        self.surface = surface
        self.allowance = allowance or Allowance()
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
        self.begin()

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
        """Return a struct with its required fields."""
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
        if (isinstance(root, Struct) and "metadata" in root.fields) or self._surface.schemas:
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
                placed = self._put(item, rest, value, siblings, own)
                return [] if isinstance(placed, Missing) else [placed]
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


_LONG = 3_000
_MOST_MEMBERS = 6
_WORDS = frozenset(Keyword)
_NUMBERS = (0, 1, -1, 5, 2**31, 2**53 + 1)
_TEXTS = ("", "a", "A b", "a-1", "10", "ä", "YQ==", "a" * 64, "2020-01-01T00:00:00Z", "1s", "x.example.com")


def guesses(slots: tuple[tuple[Slot, Sampling], ...]) -> Iterator[JsonValue | Missing]:
    """Yield distinct values for a place, given its slot on every side that has it; those that most often show
    differences first.
    """
    return distinct(_guessed(slots))


def _guessed(slots: tuple[tuple[Slot, Sampling], ...]) -> Iterator[JsonValue | Missing]:
    yield ABSENT
    for slot, sampling in slots:
        yield Filling(sampling).value(slot)
    for slot, sampling in slots:
        yield from _of_slot(slot, sampling)
    yield None


def _of_slot(slot: Slot, sampling: Sampling) -> Iterator[JsonValue | Missing]:
    unfolded = without_aliases(sampling.surface, slot)
    yield from sampling.values(slot, 3) or sampling.values(slot, 2)
    yield from _nested(unfolded)
    match unfolded.type:
        case Scalar(name):
            yield from _bounds(unfolded)
            yield from _of_scalar(name)
        case ListOf(item):
            yield from _lists(unfolded, item, sampling)
        case MapOf(_, value):
            yield {}
            yield from _maps(unfolded, value, sampling)
        case Named(name):
            type_ = sampling.surface.type(name)
            if isinstance(type_, Enum):
                yield from (in_json(each, type_) for each in type_.values)
                yield from ("", "Unheard")
            elif isinstance(type_, Struct):
                yield {}
                yield Filling(sampling, Fullness.ALL).struct(type_)
                for field in type_.fields.values():
                    inner = Filling(sampling).value(field.slot)
                    if not isinstance(inner, Missing):
                        yield {field.name: inner}
    if unfolded.default is not None and not unfolded.default.is_computed:
        yield json.loads(unfolded.default.text)


def _of_scalar(name: Scalars) -> Iterator[JsonValue]:
    match name:
        case Scalars.STRING | Scalars.BYTES:
            yield from _TEXTS
        case Scalars.BOOL:
            yield from (False, True)
        case Scalars.FLOAT32 | Scalars.FLOAT64 | Scalars.NUMBER:
            yield from (*_NUMBERS, 0.1, 1e30)
        case Scalars.INT_OR_STRING:
            yield from (0, 5, "", "5", "50%", "a")
        case Scalars.QUANTITY:
            yield from ("0", "1500m", "1Gi")
        case Scalars.DURATION:
            yield from ("0s", "90s", "1h0m0s")
        case Scalars.TIME | Scalars.MICRO_TIME:
            yield from ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00.123456Z")
        case Scalars.RAW_EXTENSION | Scalars.FIELDS_V1 | Scalars.ANYTHING:
            yield {}
            yield {"a": 1}
        case _:
            yield from _NUMBERS


def _bounds(slot: Slot) -> Iterator[JsonValue]:
    """Yield values next to the bounds of constraints."""
    for keyword, constraint in slot.constraints.items():
        value = constraint.value
        if not isinstance(value, int | float) or isinstance(value, bool):
            continue
        if keyword in (Keyword.MIN_LENGTH, Keyword.MAX_LENGTH, Keyword.MIN_BYTES, Keyword.MAX_BYTES):
            yield from ("a" * int(size) for size in (value, value + 1, value - 1) if 0 <= size <= _LONG)
        else:
            yield from (value, value + 1, value - 1)
            yield from (value * 2, value * 3)


def _nested(slot: Slot) -> Iterator[JsonValue]:
    """Yield values close to the bounds of conditional constraints (`ifEnabled`, `ifDisabled`) and of `subfields`."""
    for keyword in (Keyword.IF_ENABLED, Keyword.IF_DISABLED, Keyword.SUBFIELDS):
        for name, words in nested_in(slot.constraints, keyword).items():
            block = words if isinstance(words, dict) else {}
            numbers = {
                each: value for each, value in block.items() if each in _WORDS and isinstance(value, int | float)
            }
            constraints = {Keyword(each): Constraint(value, slot.place) for each, value in numbers.items()}
            values = _bounds(replace(slot, constraints=constraints))
            yield from ({name: value} for value in values) if keyword is Keyword.SUBFIELDS else values


def _lists(found: Slot, item: Slot, sampling: Sampling) -> Iterator[JsonValue | Missing]:
    yield []
    one = Filling(sampling).value(item)
    if isinstance(one, Missing):
        return
    yield [one, one]
    yield from _alike(item, sampling)
    for size in _sizes(found):
        items = sampling.values(item, size)
        yield list(items) if items else [one] * size
    for other in _of_slot(item, sampling) if not isinstance(item.type, Named) else ():
        if not isinstance(other, Missing):
            yield [other]


def _alike(item: Slot, sampling: Sampling) -> Iterator[JsonValue]:
    """Yield lists of two structs that differ in one field, which a list map or uniqueness by keys may treat as
    duplicates.
    """
    struct = sampling.surface.type(item.type.name) if isinstance(item.type, Named) else None
    if not isinstance(struct, Struct):
        return
    one = Filling(sampling, Fullness.ALL).struct(struct)
    for field in islice(struct.fields.values(), _MOST_MEMBERS):
        other = next((value for value in sampling.values(field.slot, 2) if value != one.get(field.name)), None)
        if other is not None:
            yield [one, {**one, field.name: other}]


def _maps(found: Slot, inner: Slot, sampling: Sampling) -> Iterator[JsonValue]:
    value = Filling(sampling).value(inner)
    for size in _sizes(found):
        map_value: JsonValue = {f"k{index}": "a" if isinstance(value, Missing) else value for index in range(size)}
        yield map_value


def _sizes(found: Slot) -> Iterator[int]:
    keywords = (Keyword.MIN_ITEMS, Keyword.MAX_ITEMS, Keyword.MIN_PROPERTIES, Keyword.MAX_PROPERTIES)
    for constraint in (found.constraints[each] for each in keywords if each in found.constraints):
        if isinstance(constraint.value, int):
            yield from (
                size for size in (constraint.value, constraint.value + 1, constraint.value - 1) if 0 <= size <= 300
            )


def gates_of(surface: Surface, element: Element) -> Iterator[str]:
    """Yield the gates of an element itself."""
    if element.kind is ElementKind.GATE:
        yield element.path
        return
    member = member_at(surface, element)
    if isinstance(member, Field):
        yield from _of_field(member)
    elif member is not None and member.gate is not None:
        yield from member.gate.gates


def gates_along(surface: Surface, routes: Iterable[Route]) -> Iterator[str]:
    """Yield the gates of the fields on routes."""
    for route in routes:
        slot: Slot | None = Slot(Named(route.kind.root), route.kind.place)
        for step in route.steps:
            unfolded = without_aliases(surface, slot) if slot is not None else None
            slot = None
            match unfolded.type if unfolded is not None else None:
                case ListOf(item):
                    slot = item
                case MapOf(_, value) if step != ITEM:
                    slot = value
                case Named(name):
                    struct = surface.type(name)
                    field = struct.fields.get(step) if isinstance(struct, Struct) else None
                    if field is not None:
                        yield from _of_field(field)
                        slot = field.slot


def _of_field(field: Field) -> Iterator[str]:
    if field.gate is not None:
        yield from field.gate.gates
    if field.slot.default is not None:
        yield from field.slot.default.gates
    for keyword in (Keyword.IF_ENABLED, Keyword.IF_DISABLED):
        yield from sorted(nested_in(field.slot.constraints, keyword))


MOST = 60
"""Maximum number of objects of a side that are tried for an element."""

_ROUTES = 3
_DEEPEST = 200
"""Maximum number of steps to an element; deeper objects would be too long to read."""

_GATED = 4
_MOST_COMPARED = 3
_WORD = re.compile(r"\w+")
_NESTED = re.compile(r"[.\[({]")
"""Matches the name of an inline type, which is a path inside the type that contains it."""
_VALUES = frozenset(
    {ElementKind.FIELD, ElementKind.ITEM, ElementKind.KEY, ElementKind.VALUE, ElementKind.BRANCH, ElementKind.RULE}
)

Given = tuple[tuple[JsonValue | Missing, Surroundings], ...]
"""Values that a rule gives as examples, with sibling fields to set."""


class Candidates:
    """Generates objects of one side; the schema of the other side adds values that are worth trying."""

    def __init__(self, own_sampling: Sampling, other_sampling: Sampling) -> None:
        self._surface = own_sampling.surface
        self._routes = Routes(self._surface)
        self._sampling, self._others = own_sampling, other_sampling
        self._placings = {fullness: Placing(self._sampling, fullness) for fullness in Fullness}

    def objects(self, element: Element, examples: Given = (), most: int = MOST) -> Iterator[JsonValue]:
        """Yield distinct objects with examples at an element, then with other values. They may be invalid."""
        return islice(distinct(self._all(element, examples)), most)

    def wholes(self, element: Element, value: JsonValue) -> Iterator[tuple[str, JsonValue]]:
        """Yield whole documents with a value at an element, or values of its type if no kind contains it; each with
        the name of its type.
        """
        steps = self._placings[Fullness.REQUIRED].steps(element)
        paths_by_type = [(route.kind.root, (*route.steps, *steps)) for route, _ in self._places(element)]
        if not paths_by_type and not _NESTED.search(element.type):
            paths_by_type = [(element.type_name, steps)]
        for fullness in Fullness:
            for name, all_steps in paths_by_type:
                slot = Slot(Named(name), Place(""))
                document = self._placings[fullness].inside(slot, all_steps, value)
                if not isinstance(document, Missing):
                    yield name.name, document

    def paths(self, element: Element, siblings: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the paths of an element in objects, and those of siblings that are validated together with it; also
        their paths in the hub if a lens renames or moves a field, because a server validates objects of the hub.

        Empty for elements without values, such as a gate or a version.
        """
        places = list(self._places(element))
        places += [(route, (name,)) for route, _ in places for name in siblings]
        own = (path_of((*route.steps, *steps)) for route, steps in places)
        in_hub = (path_of(self._in_hub(route, steps)) for route, steps in places)
        return tuple(dict.fromkeys((*own, *in_hub)))

    def _in_hub(self, route: Route, steps: tuple[str, ...]) -> Iterator[str]:
        """Yield the steps with the names of the hub."""
        holders = iter(route.types)
        for step in (*route.steps, *steps):
            is_field = not step.startswith(("[", "{"))
            holder = next(holders, None) if is_field else None
            yield step if holder is None else _name_in_hub(self._surface.type(holder), step)

    def gates(self, element: Element) -> Iterator[str]:
        """Yield the gates on which an element depends, and those of the fields that contain it."""
        yield from gates_of(self._surface, element)
        yield from gates_along(self._surface, (route for route, _ in self._places(element)))

    def _all(self, element: Element, examples: Given) -> Iterator[JsonValue]:
        if element.kind is ElementKind.GATE:
            for other in islice(behind_gate(self._surface, element.path), _GATED):
                yield from islice(self._all(other, examples), MOST // _GATED)
            return
        places = list(self._places(element))
        for fullness in Fullness:
            for route, steps in places:
                for value, siblings in examples:
                    yield self._placings[fullness].object(route, steps, value, siblings)
        values = list(islice(self._guesses(element), MOST))
        for fullness in Fullness:
            for route, steps in places[:1] if fullness else places:
                for guess in values:
                    yield self._placings[fullness].object(route, steps, guess, ())
        leading = {route.kind.root for route, _ in places}
        for route in self._kinds(element):
            if not places or route.kind.root in leading:
                yield from self._wholes(route)

    def _places(self, element: Element) -> Iterator[tuple[Route, tuple[str, ...]]]:
        """Yield the routes from kinds to the type of an element, each with the steps from that type to the element."""
        if element.type and element.kind is not ElementKind.KIND:
            steps = self._placings[Fullness.REQUIRED].steps(element)
            for route in self._routes.to(element.type_name)[:_ROUTES]:
                if len(route.steps) + len(steps) <= _DEEPEST:
                    yield route, steps

    def _kinds(self, element: Element) -> Iterable[Route]:
        """Yield the kinds that an element contains: a kind itself, or those of a version or group."""
        group = self._surface.groups.get(element.group)
        for version in group.versions.values() if group is not None else ():
            for kind in version.kinds.values():
                if element.version in ("", version.name) or element.kind is ElementKind.KIND:
                    yield Route(version, kind)

    def _wholes(self, route: Route) -> Iterator[JsonValue]:
        root = self._surface.type(route.kind.root)
        for fullness in Fullness:
            if isinstance(root, Struct):
                yield self._placings[fullness].object(route, (), Filling(self._sampling, fullness).struct(root), ())

    def _guesses(self, element: Element) -> Iterator[JsonValue | Missing]:
        if element.kind in _VALUES and element.path[:1] != "(":
            slots = ((slot_at(side.surface, element), side) for side in (self._sampling, self._others))
            yield from guesses(tuple((slot, side) for slot, side in slots if slot is not None))
            return
        for side in (self._sampling, self._others):
            type_ = side.surface.type(element.type_name)
            if isinstance(type_, Enum):
                values = ([element.path] if element.kind is ElementKind.ENUM_VALUE else [], type_.values)
                yield from (in_json(each, type_) for each in chain(*values))
            elif isinstance(type_, Struct):
                yield from _of_struct(type_, side)
            elif type_ is not None:
                yield from guesses(((type_.slot, side),))


def _name_in_hub(holder: TypeDef | None, field: str) -> str:
    """Return the name or path of a field in the hub; its own name if another field of the type has that of the hub."""
    if not isinstance(holder, Struct):
        return field
    own = (each for each in holder.lenses if each.path == field and not each.hub_only and not each.second_hub)
    names = (dict(each.options).get("to", field) for each in own)
    return next((name for name in names if name not in holder.fields), field)


def _of_struct(struct: Struct, sampling: Sampling) -> Iterator[JsonValue]:
    """Yield structs with required fields, with all fields, with each field, and with each pair of members of a union."""
    filling = Filling(sampling)
    least = filling.struct(struct)
    yield least
    yield Filling(sampling, Fullness.ALL).struct(struct)
    yield {}
    filling.begin()
    generated = ((name, filling.value(field.slot, 1)) for name, field in struct.fields.items())
    members = {name: value for name, value in generated if not isinstance(value, Missing)}
    yield from ({**least, name: value} for name, value in members.items())
    yield from ({**least, **each} for each in _compared(struct, sampling))
    for union in struct.unions:
        names = [name for name in union.members if name in members]
        bare = {name: value for name, value in least.items() if name not in union.members}
        yield bare
        for name in names:
            one = {name: members[name]}
            tag: dict[str, JsonValue] = {}
            if union.discriminator is not None:
                tag = {union.discriminator: union.members[name] or name}
            yield {**bare, **one}
            yield {**bare, **tag, **one}
            yield from ({**bare, **tag, **one, other: members[other]} for other in names if other > name)


def _compared(struct: Struct, sampling: Sampling) -> Iterator[dict[str, JsonValue]]:
    """Yield fields that a rule compares, with all combinations of values: less, equal, greater."""
    for rule in struct.slot.rules:
        named = {word for word in _WORD.findall(rule.text) if word in struct.fields}
        values = {name: sampling.values(struct.fields[name].slot, 2) for name in sorted(named)}
        if 2 <= len(values) <= _MOST_COMPARED and all(values.values()):
            yield from (dict(zip(values, each, strict=True)) for each in product(*values.values()))


def behind_gate(surface: Surface, gate: str) -> Iterator[Element]:
    """Yield the fields and values that depend on a gate."""
    for type_ in surface.types():
        for element, member in members_of(type_):
            if member.gate is not None and gate in member.gate.gates:
                yield element
