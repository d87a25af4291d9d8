"""The schemas of a document, by the places that they speak of."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from apigen.compat.sources.schemas.literals import value_of
from apigen.compat.verdict.example import JsonValue
from apigen.spec.nodes import Node


class Written:
    """Makes plain data of schemas once somebody asks. `find` is what a reference leads to."""

    is_all = True

    def __init__(self, places: Mapping[str, Node | None], find: Callable[[str], Node | None]) -> None:
        self._places = places
        self._find = find
        self._known: dict[int, JsonValue] = {}

    def at(self, path: str) -> JsonValue:
        """The schema of a place; None where there is none, or more than one."""
        return self._value(self._places.get(path))

    def target(self, reference: str) -> JsonValue:
        """The schema that a `$ref` leads to; None where it leads nowhere that is known."""
        return self._value(self._find(reference))

    def _value(self, node: Node | None) -> JsonValue:
        if node is None:
            return None
        if id(node) not in self._known:
            self._known[id(node)] = value_of(node)
        return self._known[id(node)]
