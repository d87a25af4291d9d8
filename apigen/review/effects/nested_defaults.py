"""Defaults inside of each other: fields that a default sets by a path, or in the value of a struct, list or map around it; and
the value that a server stores for a default, with the defaults of the fields in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from apigen.dataclass import dataclass
from apigen.ir.surface import (
    Default,
    ListOf,
    MapOf,
    Named,
    Slot,
    Struct,
    Surface,
    Type,
    TypeName,
    behind,
    defaulted_slots,
    definition,
    without_aliases,
)
from apigen.language.grammars import parse_path
from apigen.language.json_values import JsonValue
from apigen.language.model import Name, Step
from apigen.review.effects.member import Computed, Member, default_value
from apigen.review.links import Owner
from apigen.review.results import Missing


@dataclass(frozen=True, slots=True)
class OuterDefaults:
    """The defaults of one side by the fields that they set, apart from those that the fields declare themselves.

    `by_path`: they fill the field if it is unset. `in_values`: they fill an unset struct, list or map with a value that
    contains the field. Both may apply at some of the places of the type only.
    """

    by_path: Mapping[Owner, tuple[Default, ...]]
    in_values: Mapping[Owner, tuple[Default, ...]]

    @classmethod
    def of(cls, surface: Surface) -> OuterDefaults:
        """Return those of a surface."""
        by_path: dict[Owner, tuple[Default, ...]] = {}
        in_values: dict[Owner, tuple[Default, ...]] = {}
        for end, type_, default in _declared(surface):
            if end is not None:
                by_path[end] = (*by_path.get(end, ()), default)
            for owner in dict.fromkeys(_set_in(surface, type_, default)):
                in_values[owner] = (*in_values.get(owner, ()), default)
        return cls(by_path, in_values)

    def setting(self, owner: Owner) -> tuple[Default, ...]:
        """Return the defaults that may set a field."""
        return (*self.by_path.get(owner, ()), *self.in_values.get(owner, ()))

    def with_name(self, name: TypeName, known: TypeName) -> OuterDefaults:
        """Return the defaults of a side that has the type `known` under another name."""
        return OuterDefaults(*(_with_name(each, name, known) for each in (self.by_path, self.in_values)))


def _with_name(
    defaults: Mapping[Owner, tuple[Default, ...]], name: TypeName, known: TypeName
) -> Mapping[Owner, tuple[Default, ...]]:
    renamed = {(name, field): each for (holder, field), each in defaults.items() if holder == known}
    return {**{owner: each for owner, each in defaults.items() if owner[0] != name}, **renamed}


def _declared(surface: Surface) -> Iterator[tuple[Owner | None, Type, Default]]:
    """Yield all defaults with the type that they fill; those by a path also with the last field of the path."""
    for type_ in surface.types():
        yield from ((None, slot.type, default) for _, slot, default in defaulted_slots(type_))
        for path, slot in type_.defaults.items() if isinstance(type_, Struct) else ():
            if slot.default is not None:
                steps = parse_path(path, slot.place).steps
                yield _last_field(surface, Named(type_.name), steps), slot.type, slot.default


def fields_at(surface: Surface, root: TypeName, path: str) -> Iterator[Owner]:
    """Yield the last field of a path from a type, and all fields below it; nothing if the type does not have it."""
    end = _last_field(surface, Named(root), parse_path(path, surface.place).steps)
    struct = None if end is None else surface.type(end[0])
    if end is not None and isinstance(struct, Struct):
        yield end
        yield from _below(surface, struct.fields[end[1]].slot.type, set())


def _last_field(surface: Surface, type_: Type, steps: tuple[Step, ...]) -> Owner | None:
    """Return the last field of a path from a type: a default of an entry of a map creates the map, too."""
    end: Owner | None = None
    for step in steps:
        match step, behind(surface, type_):
            case Name(name), _:
                struct = definition(surface, type_)
                if isinstance(struct, Struct) and name in struct.fields:
                    end, type_ = (struct.name, name), struct.fields[name].slot.type
                # otherwise the step is the name of an inlined struct, whose fields are those of the struct around it
            case _, ListOf(item):
                type_ = item.type
            case _, MapOf(_, value):
                type_ = value.type
    return end


def _set_in(surface: Surface, type_: Type, default: Default) -> Iterator[Owner]:
    """Yield the fields that a default sets in a value of a type."""
    if not default.is_computed:
        yield from _in_value(surface, type_, _read(default.text))
        return
    if not default.cases:
        yield from _below(surface, type_, set())
        return
    for case in json.loads(default.cases):
        struct = definition(surface, type_)
        if "into" in case and isinstance(struct, Struct):
            yield struct.name, case["into"]
        yield from _in_value(surface, type_, case.get("value"))


def _read(text: str) -> JsonValue | Missing:
    try:
        value: JsonValue = json.loads(text)
    except ValueError:
        return Missing()
    return value


def _in_value(surface: Surface, type_: Type, value: JsonValue | Missing) -> Iterator[Owner]:
    match behind(surface, type_), value:
        case ListOf(item), list():
            for each in value:
                yield from _in_value(surface, item.type, each)
        case MapOf(_, inner), dict():
            for each in value.values():
                yield from _in_value(surface, inner.type, each)
        case Named(), dict():
            struct = definition(surface, type_)
            for name, each in value.items() if isinstance(struct, Struct) else ():
                if isinstance(struct, Struct) and name in struct.fields:
                    yield struct.name, name
                    yield from _in_value(surface, struct.fields[name].slot.type, each)


def _below(surface: Surface, type_: Type, seen: set[TypeName]) -> Iterator[Owner]:
    """Yield all fields in values of a type."""
    match behind(surface, type_):
        case ListOf(item):
            yield from _below(surface, item.type, seen)
        case MapOf(_, value):
            yield from _below(surface, value.type, seen)
    struct = definition(surface, type_)
    if isinstance(struct, Struct) and struct.name not in seen:
        seen.add(struct.name)
        for field in struct.fields.values():
            yield struct.name, field.name
            yield from _below(surface, field.slot.type, seen)


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
