"""The schema of a CRD, read once into nodes that evaluate many objects; and the shared state of evaluations of
similar objects by similar schemas: equal schemas, equal parts of objects, and their results.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Final

    from ..rules import Ruled
    from ..validation import FieldError

Schema = dict[str, object]
"""An `openAPIV3Schema`, or a schema in it, as decoded from JSON."""

EMBEDDED: Final = "x-kubernetes-embedded-resource"
PRESERVE: Final = "x-kubernetes-preserve-unknown-fields"
LIST_TYPE: Final = "x-kubernetes-list-type"
LIST_MAP_KEYS: Final = "x-kubernetes-list-map-keys"
INT_OR_STRING: Final = "x-kubernetes-int-or-string"

_OF_ALL: Final = ("enum", "allOf", "anyOf", "oneOf", "not")
_OF_STRINGS: Final = (*_OF_ALL, "maxLength", "minLength", "pattern", "format")
_COUNTS: Final = (
    "maxItems",
    "minItems",
    "maxProperties",
    "minProperties",
    "uniqueItems",
    "required",
)


def sub(schema: Schema | None, word: str) -> Schema | None:
    """Return the schema below a keyword (`items`, `additionalProperties`), or `None`."""
    found = None if schema is None else schema.get(word)
    return found if isinstance(found, dict) else None


def member(schema: Schema | None, name: str) -> Schema | None:
    """Return the schema of a field or key; None if no schema describes it."""
    found = sub(sub(schema, "properties"), name)
    return sub(schema, "additionalProperties") if found is None else found


def default(schema: Schema | None) -> object:
    """Return the default of a schema; `None` without one (as for the server, a default of null counts as missing)."""
    return None if schema is None else schema.get("default")


class Node:
    """A schema, or a schema in it.

    `fields` are its `properties`, `others` is the schema of its `additionalProperties`, `items` that of its items. `types` are the
    JSON types that are valid. `any_string` and `any_boolean` are whether all such values are valid, `counts` whether the number
    or the presence of items or fields is limited; `has_lists` (sets and list maps) and `has_embedded` are
    whether it, or a schema in it, has one. `make` returns the nodes of the schemas in it.
    """

    __slots__ = (
        "any_boolean",
        "any_string",
        "counts",
        "default",
        "defaults",
        "excluded",
        "fields",
        "has_embedded",
        "has_lists",
        "is_embedded",
        "items",
        "junctors",
        "keeps_others",
        "list_type",
        "nullable",
        "others",
        "preserves",
        "schema",
        "types",
    )

    def __init__(
        self, schema: Schema, make: Callable[[Schema], Node] | None = None
    ) -> None:
        make = Node if make is None else make
        self.schema = schema
        self.fields = {
            name: make(each)
            for name, each in (sub(schema, "properties") or {}).items()
            if isinstance(each, dict)
        }
        self.others, self.items = (
            None if inner is None else make(inner)
            for inner in (sub(schema, "additionalProperties"), sub(schema, "items"))
        )
        self.default = default(schema)
        self.defaults = [
            (name, each.default)
            for name, each in self.fields.items()
            if each.default is not None
        ]
        self.nullable = schema.get("nullable") is True
        self.keeps_others = bool(schema.get("additionalProperties"))
        self.preserves = schema.get(PRESERVE) is True
        self.is_embedded = schema.get(EMBEDDED) is True
        self.list_type = schema.get(LIST_TYPE)
        self.types = _types(schema)
        self.junctors = {
            word: [make(each) for each in schemas if isinstance(each, dict)]
            for word in ("allOf", "anyOf", "oneOf")
            if isinstance(schemas := schema.get(word), list) and schemas
        }
        excluded = sub(schema, "not")
        self.excluded = None if excluded is None else make(excluded)
        self.counts = not schema.keys().isdisjoint(_COUNTS)
        self.any_string = self._is_any("string", _OF_STRINGS)
        self.any_boolean = self._is_any("boolean", _OF_ALL)
        inner = [*self.fields.values(), self.others, self.items]
        below = [each for each in inner if each is not None]
        self.has_embedded: bool = any(
            each.has_embedded or each.is_embedded for each in below
        )
        self.has_lists: bool = self.list_type in ("set", "map") or any(
            each.has_lists for each in below
        )

    def _is_any(self, type_: str, keywords: tuple[str, ...]) -> bool:
        known = not self.types or type_ in self.types
        return known and self.schema.keys().isdisjoint(keywords)

    def member(self, name: str) -> Node | None:
        """Return the schema of a field or key; None if no schema describes it."""
        return self.fields.get(name, self.others)

    def described(self, value: object) -> Iterator[tuple[str | int, object, Node]]:
        """Yield each field, key or item of a value that a schema describes, with that schema."""
        if isinstance(value, dict):
            fields, others = self.fields, self.others
            for name, each in value.items():
                found = fields.get(name, others)
                if found is not None:
                    yield name, each, found
        elif isinstance(value, list) and self.items is not None:
            for index, each in enumerate(value):
                yield index, each, self.items


def _types(schema: Schema) -> tuple[str, ...]:
    if schema.get(INT_OR_STRING) is True:
        return ("integer", "string")
    found = schema.get("type")
    return (found,) if isinstance(found, str) and found else ()


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
