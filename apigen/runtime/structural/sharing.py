"""What evaluations of similar objects by similar schemas share: equal schemas, equal parts of objects, and their results."""

from __future__ import annotations

import json

from .nodes import Node

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import Any, Final

    from ..rules import Ruled, RuleResults
    from .checks import Violation
    from .nodes import Schema

_BELOW: Final = frozenset(
    {
        "additionalProperties",
        "allOf",
        "anyOf",
        "description",
        "items",
        "not",
        "oneOf",
        "properties",
    }
)
"""Keywords that the nodes below a node represent, and the one without effect."""


class Shared:
    """The results of evaluations by all schemas that are read with it.

    Equal schemas are one node, and equal parts of objects are one value, so that results are found by identity. All of
    them are kept as long as it is: it is meant for many evaluations of small objects, such as those of a search.
    `completed` has values as the server holds them; `valid` are the nodes and values without violations, `distinct` those
    without repeated items of sets and list maps; `created` has the violations of new objects.
    """

    def __init__(self) -> None:
        self.completed: dict[tuple[int, int, bool, bool], object] = {}
        self.valid: set[tuple[int, object]] = set()
        self.distinct: set[tuple[int, int]] = set()
        self.created: dict[tuple[int, int], tuple[Violation, ...]] = {}
        self.ruled: dict[int, Ruled | None] = {}
        self.results: RuleResults = {}
        self._nodes: dict[tuple[object, ...], Node] = {}
        self._values: dict[tuple[object, ...], dict[str, object] | list[object]] = {}
        self._shared: set[int] = set()
        self._odd: set[int] = set()

    def node(self, schema: Schema) -> Node:
        """Return the node of a schema: the same one for schemas that differ in descriptions only."""
        node = Node(schema, self.node)
        own = {name: each for name, each in schema.items() if name not in _BELOW}
        key = (
            json.dumps(own, sort_keys=True),
            node.keeps_others,
            *((name, id(each)) for name, each in node.fields.items()),
            id(node.others),
            id(node.items),
            *((word, *map(id, each)) for word, each in node.junctors.items()),
            id(node.excluded),
        )
        return self._nodes.setdefault(key, node)

    def value(self, value: Any) -> Any:
        """Return the one value for all values that are equal to a JSON value, types and order of keys included.

        Do not change it.
        """
        if not isinstance(value, (dict, list)) or id(value) in self._shared:
            return value
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        changed = {
            step: self.value(each)
            for step, each in inner
            if isinstance(each, (dict, list)) and id(each) not in self._shared
        }
        if isinstance(value, dict):
            return self.whole({**value, **changed})
        found = [*value]
        for index, each in changed.items():
            found[index] = each
        return self.whole(found)

    def whole(
        self, value: dict[str, object] | list[object]
    ) -> dict[str, object] | list[object]:
        """Return the one value for a new dict or list of shared values."""
        key: list[object] = [type(value)]
        is_plain = True
        if isinstance(value, dict):
            key.append(tuple(value))
            is_plain = all(map(str.isascii, value))
        for each in value.values() if isinstance(value, dict) else value:
            if type(each) is str:
                is_plain = is_plain and each.isascii()
                key.append(each)
            elif isinstance(each, (dict, list)):
                is_plain = is_plain and id(each) not in self._odd
                key.append(id(each))
            else:
                is_plain = is_plain and isinstance(each, int)
                key.append((type(each), repr(each)))
        kept = self._values.setdefault(tuple(key), value)
        if kept is value:
            self._shared.add(id(value))
            if not is_plain:
                self._odd.add(id(value))
        return kept

    def is_plain(self, value: object) -> bool:
        """Return whether a shared value is the same after it was written and read: ASCII strings, integers and
        booleans only.
        """
        return id(value) not in self._odd
