"""The schemas of a document, by the places that they describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from apigen.dataclass import dataclass
from apigen.language.json_values import JsonValue
from apigen.language.nodes import Mapping as MappingNode
from apigen.language.nodes import Node, Scalar
from apigen.review.surface import CONDITIONS, WITHOUT_FRACTION


class Written:
    """Converts schemas to plain data on first use. `find` resolves a reference, and `excludes_fractions` returns whether
    `1.0` is no integer in a schema.

    The data of a schema is part of the data of the schemas that contain it.
    """

    is_all = True

    def __init__(
        self,
        places: Mapping[str, Node | None],
        find: Callable[[str], Node | None],
        excludes_fractions: Callable[[Node], bool] = lambda _: False,
    ) -> None:
        self._places = places
        self._find = find
        self._excludes_fractions = excludes_fractions
        self._known: dict[int, JsonValue] = {}

    def root(self, kind: str) -> JsonValue:
        """Return None, because no server evaluates objects by it."""
        return None

    def at(self, path: str) -> JsonValue:
        """Return the schema of a place, or `None` unless there is exactly one."""
        return self._value(self._places.get(path))

    def target(self, reference: str) -> JsonValue:
        """Return the schema that a `$ref` refers to; None if it is unknown."""
        return self._value(self._find(reference))

    def _value(self, node: Node | None) -> JsonValue:
        if node is None:
            return None
        if isinstance(node, Scalar):
            return node.value
        known = self._known.get(id(node))
        if known is None:
            if isinstance(node, MappingNode):
                known = {entry.key.text: self._value(entry.value) for entry in node.entries}
                if _is_of_integers(known.get("type")) and self._excludes_fractions(node):
                    known[CONDITIONS] = [WITHOUT_FRACTION]
            else:
                known = [self._value(item) for item in node.items]
            self._known[id(node)] = known
        return known

    def __reduce__(self) -> tuple[type[Made], tuple[dict[str, JsonValue], dict[str, JsonValue]]]:
        places = {path: self._value(node) for path, node in self._places.items()}
        targets: dict[str, JsonValue] = {}
        waiting, seen = list(places.values()), set[int]()
        while waiting:
            value = waiting.pop()
            if not isinstance(value, dict | list) or id(value) in seen:
                continue
            seen.add(id(value))
            waiting.extend(value.values() if isinstance(value, dict) else value)
            reference = value.get("$ref") if isinstance(value, dict) else None
            if isinstance(reference, str) and reference not in targets:
                targets[reference] = self.target(reference)
                waiting.append(targets[reference])
        return Made, (places, targets)


@dataclass(frozen=True, slots=True)
class Made:
    """The schemas of a cached document: the data of all its schemas, and the target of each reference."""

    places: Mapping[str, JsonValue]
    targets: Mapping[str, JsonValue]

    @property
    def is_all(self) -> bool:
        """True: nothing is done to values."""
        return True

    def at(self, path: str) -> JsonValue:
        """Return the schema of a place, or `None` unless there is exactly one."""
        return self.places.get(path)

    def target(self, reference: str) -> JsonValue:
        """Return the schema that a `$ref` refers to; None if it is unknown."""
        return self.targets.get(reference)


def _is_of_integers(type_: JsonValue) -> bool:
    names = type_ if isinstance(type_, list) else [type_]
    return "integer" in names and "number" not in names
