"""Shared state of evaluations of similar objects by similar schemas: equal schemas, equal parts of objects, and their
results.
"""

from __future__ import annotations

import json
import re
from functools import cache

from ..rule_names import escaped
from ..rules import ABSENT, RuleEvaluator, bare_expression
from .nodes import Node

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import Any, Final

    from ..field_paths import FieldPath
    from ..rules import Rule, Ruled
    from ..validation import FieldError
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
    `completed` has defaulted and pruned values; `valid` are the nodes and values without violations, `distinct` those
    without repeated items of sets and list maps; `ruled_errors` has the number of evaluated
    rules, the path of the value if there are errors, and the errors, by the rules and a value; `satisfied` are rules with
    the parts of a value that they read.
    """

    def __init__(self) -> None:
        self.completed: dict[tuple[int, int, bool, bool, bool], object] = {}
        self.valid: set[tuple[int, object]] = set()
        self.distinct: set[tuple[int, int]] = set()
        self.ruled: dict[int, Ruled | None] = {}
        self.ruled_errors: dict[
            tuple[int, object], tuple[int, str, list[FieldError]]
        ] = {}
        self.satisfied: set[tuple[object, ...]] = set()
        self._nodes: dict[tuple[object, ...], Node] = {}
        self._values: dict[tuple[object, ...], dict[str, object] | list[object]] = {}
        self._shared: set[int] = set()
        self._odd: set[int] = set()

    def node(self, schema: Schema) -> Node:
        """Return the node of a schema: the same one for schemas that differ in descriptions only."""
        node = Node(schema, self.node)
        own = {name: each for name, each in schema.items() if name not in _BELOW}
        key = (
            json.dumps(own),
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
        if isinstance(value, dict):
            changed = {
                name: self.value(each)
                for name, each in value.items()
                if isinstance(each, (dict, list)) and id(each) not in self._shared
            }
            return self.interned({**value, **changed})
        return self.interned(
            [
                self.value(each) if isinstance(each, (dict, list)) else each
                for each in value
            ]
        )

    def interned(
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


class SharedEvaluator(RuleEvaluator):
    """Evaluates the rules of shared plain values. Results for new values are shared."""

    def __init__(self, ruled: Ruled, shared: Shared) -> None:
        super().__init__({"": ruled})
        self._shared = shared

    def walk(
        self,
        ruled: Ruled,
        value: object,
        old: object,
        path: FieldPath,
        *,
        unchanged: bool,
        skipped: frozenset[str] = frozenset(),
    ) -> None:
        """Evaluate the rules of a value and of the values in it, or take the known result."""
        is_new = (old is ABSENT or old is None) and not unchanged
        if not is_new or not isinstance(value, (str, dict, list)):
            super().walk(ruled, value, old, path, unchanged=unchanged, skipped=skipped)
            return
        key = id(ruled), value if isinstance(value, str) else id(value)
        count, place, errors = self._shared.ruled_errors.get(key, (self.left, "", []))
        if count < self.left and (not errors or place == str(path)):
            self.left -= count
            self.errors += errors
            return
        start, left = len(self.errors), self.left
        super().walk(ruled, value, old, path, unchanged=unchanged, skipped=skipped)
        if self.left > 0:
            errors = self.errors[start:]
            known = left - self.left, str(path) if errors else "", errors
            self._shared.ruled_errors[key] = known

    def evaluate_rule(
        self,
        ruled: Ruled,
        rule: Rule,
        value: object,
        old: object,
        path: FieldPath,
        variables: dict[str, object],
    ) -> None:
        """Evaluate one rule of a value, unless the parts of the value that it reads are known to satisfy it."""
        names = _fields_read(rule.rule)
        if old is not ABSENT or names is None or not isinstance(value, dict):
            super().evaluate_rule(ruled, rule, value, old, path, variables)
            return
        read = {
            name: each
            for name, each in value.items()
            if name in names or escaped(name) in names
        }
        parts = (
            (name, id(each) if isinstance(each, (dict, list)) else (type(each), each))
            for name, each in read.items()
        )
        key = id(ruled), rule, *parts
        if key in self._shared.satisfied:
            return
        before = len(self.errors)
        super().evaluate_rule(ruled, rule, read, old, path, {})
        if len(self.errors) == before:
            self._shared.satisfied.add(key)
            return
        del self.errors[before:]  # its message may read other parts
        super().evaluate_rule(ruled, rule, value, old, path, variables)


_SELF: Final = re.compile(r"\bself\b(?:\s*\.\s*(?P<field>[A-Za-z_]\w*)\b(?!\s*\())?")


@cache
def _fields_read(expression: str) -> frozenset[str] | None:
    """Return the fields of `self` that an expression reads, as it names them; None if it may read all of it."""
    found = [each["field"] for each in _SELF.finditer(bare_expression(expression))]
    return frozenset(found) if all(found) else None
