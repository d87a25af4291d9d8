"""Matches the parts of two sides by name, and tells what of them differs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from apigen.compat.changes.change import Added, Altered, Part, Removed
from apigen.compat.changes.traits import Traits
from apigen.compat.surface.elements import Element
from apigen.diagnostics import Place

P = TypeVar("P", bound=Part)
Inner = TypeVar("Inner")


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
    """Of the parts of both sides by name: what came, what is `inside` of what both sides have (unless that is equal), and what is gone."""
    old, new = parts
    for name, part in new.items():
        before = old.get(name)
        if before is None:
            yield Added(element(name), sides.old_place, part.place, part, sides.holder)
        elif before != part:
            yield from inside(element(name), before, part)
    for name, part in old.items():
        if name not in new:
            yield Removed(element(name), part.place, sides.new_place, part, sides.holder)


def altered(element: Element, old: P, new: P, table: Traits[P]) -> Iterator[Altered]:
    """The traits of a part that differ."""
    for trait, value in table:
        before, after = value(old), value(new)
        if before != after:
            yield Altered(element, old.place, new.place, trait, old, new, before, after)


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
