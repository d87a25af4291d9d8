"""Generate objects that may show the effect of a change of an element."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice, product

from apigen.diagnostics import Place
from apigen.language.json_values import JsonValue
from apigen.review.counterexamples.attributing import path_of
from apigen.review.counterexamples.guessing import guesses
from apigen.review.counterexamples.objects import Filling, Fullness, Placing, Sampling, Surroundings, distinct
from apigen.review.counterexamples.spec_conversion import gates_in
from apigen.review.effects.scalars import in_json
from apigen.review.links import ITEM, Route, Routes
from apigen.review.results import Missing
from apigen.review.surface import (
    Element,
    ElementKind,
    Enum,
    Field,
    ListOf,
    MapOf,
    Named,
    Slot,
    Struct,
    Surface,
    field_of,
    slot_at,
    without_aliases,
)


def gates_of(surface: Surface, element: Element) -> Iterator[str]:
    """Yield the gates of an element itself."""
    if element.kind is ElementKind.GATE:
        yield element.path
        return
    type_ = surface.type(element.type_name) if element.type else None
    if isinstance(type_, Struct):
        field = field_of(type_, element.path) if element.path else None
        yield from _of_field(field) if field is not None else ()
    elif isinstance(type_, Enum):
        value = type_.values.get(element.path)
        yield from value.gate.gates if value is not None and value.gate is not None else ()


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
    yield from sorted(gates_in(field.slot.constraints))


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
        """Return the paths of an element in objects, and those of siblings that are validated together with it.

        Empty for elements without values, such as a gate or a version.
        """
        places = list(self._places(element))
        sibling_paths = (((*route.steps, name)) for route, _ in places for name in siblings)
        return tuple(path_of(steps) for steps in (*((*route.steps, *steps) for route, steps in places), *sibling_paths))

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


def _of_struct(struct: Struct, sampling: Sampling) -> Iterator[JsonValue]:
    """Yield structs with required fields, with all fields, with each field, and with each pair of members of a union."""
    filling = Filling(sampling)
    least = filling.struct(struct)
    yield least
    yield Filling(sampling, Fullness.ALL).struct(struct)
    yield {}
    filling.begin()
    members = _members(struct, filling)
    yield from (_with(least, {name: value}) for name, value in members.items())
    yield from (_with(least, each) for each in _compared(struct, sampling))
    for union in struct.unions:
        names = [name for name in union.members if name in members]
        bare = {name: value for name, value in least.items() if name not in union.members}
        yield bare
        for name in names:
            one = {name: members[name]}
            tag: dict[str, JsonValue] = {}
            if union.discriminator is not None:
                tag = {union.discriminator: union.members[name] or name}
            yield _with(bare, one)
            yield _with(bare, tag, one)
            yield from (_with(bare, tag, one, {other: members[other]}) for other in names if other > name)


def _compared(struct: Struct, sampling: Sampling) -> Iterator[dict[str, JsonValue]]:
    """Yield fields that a rule compares, with all combinations of values: less, equal, greater."""
    for rule in struct.slot.rules:
        named = {word for word in _WORD.findall(rule.text) if word in struct.fields}
        values = {name: sampling.values(struct.fields[name].slot, 2) for name in sorted(named)}
        if 2 <= len(values) <= _MOST_COMPARED and all(values.values()):
            yield from (dict(zip(values, each, strict=True)) for each in product(*values.values()))


def _members(struct: Struct, filling: Filling) -> dict[str, JsonValue]:
    """Return a value for each field for which one can be generated."""
    generated = ((name, filling.value(field.slot, 1)) for name, field in struct.fields.items())
    return {name: value for name, value in generated if not isinstance(value, Missing)}


def _with(*parts: dict[str, JsonValue]) -> JsonValue:
    joined: dict[str, JsonValue] = {}
    for part in parts:
        joined.update(part)
    return joined


def behind_gate(surface: Surface, gate: str) -> Iterator[Element]:
    """Yield the fields and values that depend on a gate."""
    for type_ in surface.types():
        parts = type_.fields if isinstance(type_, Struct) else type_.values if isinstance(type_, Enum) else {}
        kind = ElementKind.FIELD if isinstance(type_, Struct) else ElementKind.ENUM_VALUE
        for name, part in parts.items():
            if part.gate is not None and gate in part.gate.gates:
                yield Element(kind, *type_.name, name)
