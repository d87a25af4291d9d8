"""A type came to hold itself."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.changes.types import FORMS
from apigen.compat.context import Context
from apigen.compat.rules.guards import has_types
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.surface.elements import Element, TypeName
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.graphs import walk


@state_rule("recursion-introduced", has_types, severities="W/E/E")
def recursion_introduced(surface: Surface, context: Context) -> Iterator[Issue]:
    """Only types that both sides have are told: a new type may be as it likes."""
    if surface.describes_recursion:
        return
    for name in _in_circles(surface, context):
        type_ = surface.type(name)
        if type_ is None or context.old.type(name) is None or context.new.type(name) is None:
            continue
        element = Element(FORMS[type(type_)], name.group, name.version, name.name)
        hit = depends("a client generated from the schema may not be able to describe the type")
        yield Issue(
            element,
            type_.place,
            Verdict(
                f"{element} holds itself",
                {Direction.OLD_CLIENT: hit},
            ),
        )


def _in_circles(surface: Surface, context: Context) -> Iterator[TypeName]:
    """The own types of a side that lead to themselves by way of its own types."""
    links = context.links(surface)
    versions = (
        version for group in surface.groups.values() if not group.borrowed for version in group.versions.values()
    )
    own = {type_.name: None for version in versions for type_ in version.types.values()}
    knots = walk(own, lambda name: tuple(each for each in links.of(name) if each in own)).knots
    circling = frozenset(name for knot in knots for name in knot)
    yield from (name for name in own if name in circling)
