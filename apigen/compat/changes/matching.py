"""Matches the parts of two sides by name, and tells what of them differs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from apigen.compat.changes.change import Added, Altered, Part, Removed, Trait
from apigen.compat.changes.traits import Traits
from apigen.compat.surface.elements import Element
from apigen.compat.surface.surface import Group, Method, Service, SourceFile, Version
from apigen.compat.surface.types import Enum, EnumValue, Field, Slot, Struct, Union
from apigen.dataclass import dataclass
from apigen.diagnostics import Place

P = TypeVar("P", bound=Part)
Inner = TypeVar("Inner")

_WITH_PLACES = (Field, Struct, Enum, EnumValue, Union, Service, Method, SourceFile)


@dataclass(frozen=True, slots=True)
class Sides:
    """What holds parts, on both sides: the place of each, and the holder as the new side has it."""

    old_place: Place
    new_place: Place
    holder: Part | None = None


def matched(
    sides: Sides,
    parts: tuple[Mapping[str, P], Mapping[str, P]],
    element: Callable[[str], Element],
    inside: Callable[[Element, P, P], Iterator[Added | Removed | Altered]],
) -> Iterator[Added | Removed | Altered]:
    """Of the parts of both sides by name: what came, what is `inside` of what both sides have (unless that is equal, down to the order), and what is gone."""
    old, new = parts
    for name, part in new.items():
        before = old.get(name)
        if before is None:
            yield Added(element(name), sides.old_place, part.place, part, sides.holder)
        elif before is not part and (before != part or is_reordered(before, part)):
            yield from inside(element(name), before, part)
    for name, part in old.items():
        if name not in new:
            yield Removed(element(name), part.place, sides.new_place, part, sides.holder)


def is_reordered(old: Part, new: Part) -> bool:
    """Whether structs in two parts that are equal have their fields in another order, which comparing mappings does not see."""
    if old is new:
        return False
    match old, new:
        case Struct(), Struct():
            return list(old.fields) != list(new.fields)
        case Version(), Version():
            return any(is_reordered(type_, new.types[name]) for name, type_ in old.types.items())
        case Group(), Group():
            return any(is_reordered(version, new.versions[name]) for name, version in old.versions.items())
        case _:
            return False


def altered(element: Element, old: P, new: P, table: Traits[P]) -> Iterator[Altered]:
    """The traits of a part that differ; options one by one."""
    for trait, value in table:
        before, after = value(old), value(new)
        if before == after:
            continue
        if trait is Trait.OPTIONS:
            yield from _options(element, old, new)
        else:
            places = place_of(old, trait.value), place_of(new, trait.value)
            yield Altered(element, *places, trait, old, new, before, after)


def place_of(part: Part, name: str) -> Place:
    """Where a trait or an option of a part stands; the part's own place, where it has none."""
    if isinstance(part, Slot):
        return part.default.place if part.default is not None and name == Trait.DEFAULT.value else part.place
    return part.places.get(name, part.place) if isinstance(part, _WITH_PLACES) else part.place


def _options(element: Element, old: Part, new: Part) -> Iterator[Altered]:
    """A change for each option that differs; its values are `((name, value),)`, or empty where one side has none."""
    if not isinstance(old, _WITH_PLACES) or not isinstance(new, _WITH_PLACES):
        return
    mine, theirs = dict(old.options), dict(new.options)
    for name in sorted(mine.keys() | theirs.keys()):
        if mine.get(name) != theirs.get(name):
            before, after = (((name, each[name]),) if name in each else () for each in (mine, theirs))
            places = place_of(old, name), place_of(new, name)
            yield Altered(element, *places, Trait.OPTIONS, old, new, before, after)


def altered_in(element: Element, old: P, new: P, table: Traits[Inner], of: Callable[[P], Inner]) -> Iterator[Altered]:
    """The traits of a value of a part that differ, such as its lifecycle."""
    mine, theirs = of(old), of(new)
    if mine != theirs:
        for trait, value in table:
            before, after = value(mine), value(theirs)
            if before != after:
                yield Altered(element, old.place, new.place, trait, old, new, before, after)


def by_name(old: Iterable[P], new: Iterable[P], name: Callable[[P], str]) -> tuple[dict[str, P], dict[str, P]]:
    """The parts of both sides by name."""
    return {name(part): part for part in old}, {name(part): part for part in new}
