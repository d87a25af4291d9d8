"""A type came to hold itself."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.changes.types import FORMS
from apigen.compat.context import Context
from apigen.compat.reachability import names_in
from apigen.compat.rules.rule import Issue, StateRule
from apigen.compat.surface.elements import Element, TypeName
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Named, Struct, TypeDef
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class RecursionIntroduced(StateRule):
    """Only types that both sides have are told: a new type may be as it likes."""

    id = "recursion-introduced"
    title = "a type that holds itself, and did not before"
    severities = Severities.of("W/E/E")
    explanation = (
        "The structural schemas of custom resources cannot describe a type that holds itself, several code generators refuse"
        " it, and objects of it can be nested without an end."
    )
    fix = "hold the inner values in a list beside, by name, or as raw JSON"
    no_witness = "what breaks are schemas and code generators, not an object"

    def check(self, surface: Surface, context: Context) -> Iterator[Issue]:
        """The types of a side that lead to themselves."""
        edges = _edges(surface)
        for name in _in_circles(edges):
            type_ = surface.type(name)
            if type_ is None or context.old.type(name) is None or context.new.type(name) is None:
                continue
            element = Element(FORMS[type(type_)], name.group, name.version, name.name)
            hit = depends("a client generated from the schema may not be able to describe the type")
            yield Issue(element, type_.place, Verdict(f"{element} holds itself", {Direction.OLD_CLIENT: hit}, self.fix))


def _edges(surface: Surface) -> dict[TypeName, tuple[TypeName, ...]]:
    return {
        type_.name: tuple(_targets(type_))
        for group in surface.groups.values()
        if not group.borrowed
        for version in group.versions.values()
        for type_ in version.types.values()
    }


def _targets(type_: TypeDef) -> Iterator[TypeName]:
    """The types that a type names. The slot of a struct as a whole names the struct itself, which is no circle."""
    names = list(names_in(type_))
    if isinstance(type_, Struct) and type_.slot.type == Named(type_.name):
        names.remove(type_.name)
    yield from names


def _in_circles(edges: dict[TypeName, tuple[TypeName, ...]]) -> Iterator[TypeName]:
    """The names that lead to themselves. What leads to nothing is taken away until only circles and what leads to them are left."""
    left = _pruned(edges)
    incoming: dict[TypeName, list[TypeName]] = {}
    for name, targets in left.items():
        for target in targets:
            incoming.setdefault(target, []).append(name)
    both = _pruned({name: tuple(each for each in incoming.get(name, ()) if each in left) for name in left})
    for name in both:
        if _leads_to(name, {each: left[each] for each in both}):
            yield name


def _pruned(edges: dict[TypeName, tuple[TypeName, ...]]) -> dict[TypeName, tuple[TypeName, ...]]:
    counts = {name: sum(1 for each in targets if each in edges) for name, targets in edges.items()}
    sources: dict[TypeName, list[TypeName]] = {}
    for name, targets in edges.items():
        for target in targets:
            sources.setdefault(target, []).append(name)
    waiting = [name for name, count in counts.items() if count == 0]
    gone = set(waiting)
    while waiting:
        for source in sources.get(waiting.pop(), ()):
            counts[source] -= 1
            if counts[source] == 0 and source not in gone:
                gone.add(source)
                waiting.append(source)
    return {
        name: tuple(each for each in targets if each in edges and each not in gone)
        for name, targets in edges.items()
        if name not in gone
    }


def _leads_to(name: TypeName, edges: dict[TypeName, tuple[TypeName, ...]]) -> bool:
    seen: set[TypeName] = set()
    waiting = list(edges[name])
    while waiting:
        each = waiting.pop()
        if each == name:
            return True
        if each not in seen:
            seen.add(each)
            waiting.extend(target for target in edges.get(each, ()))
    return False
