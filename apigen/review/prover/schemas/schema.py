"""A schema together with the document that resolves its references."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from apigen.ir.surface import CONDITIONS, Surface
from apigen.language.json_values import JsonValue


class TooMuchError(Exception):
    """A proof would take too long; nothing is proven."""


class Steps:
    """Counts the work done. `most`: the limit."""

    MOST = 20_000
    MOST_CLAUSES = 200
    DEEPEST = 40

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self.done = 0

    def take(self, count: int = 1) -> None:
        """Count some steps. Raises TooMuchError after the last one."""
        self.done += count
        if self.done > self._most:
            raise TooMuchError


_OPAQUE = frozenset(
    {
        *("$dynamicRef", "$recursiveRef", "unevaluatedProperties", "unevaluatedItems", "extends", "disallow"),
        *("divisibleBy", "nullable", "contentSchema"),
    }
)
_OF_KUBERNETES = "x-kubernetes-"
_ELSEWHERE = (f'"{_OF_KUBERNETES}', *(f'"{keyword}":' for keyword in ("$ref", *_OPAQUE)))
"""Texts in JSON that indicate a keyword whose meaning depends on other schemas."""


def is_opaque(keyword: str) -> bool:
    """Return whether a schema has a keyword that this module does not support."""
    return keyword in _OPAQUE or keyword.startswith(_OF_KUBERNETES)


class Schema:
    """One schema. Schemas are compared by identity, and a document returns the same object for the same value."""

    __slots__ = ("_conditions", "_text", "document", "value")

    def __init__(self, value: JsonValue, document: Document) -> None:
        self.value = value
        self.document = document
        self._text: str | None = None
        self._conditions: frozenset[str] | None = None

    @property
    def text(self) -> str:
        """Schemas with the same text accept the same values; empty if the meaning depends on other schemas."""
        if self._text is None:
            text = json.dumps(self.value, sort_keys=True)
            self._text = "" if any(each in text for each in _ELSEWHERE) else text
        return self._text

    @property
    def conditions(self) -> frozenset[str]:
        """The conditions that are known by name, of the schema and of all schemas in it."""
        if self._conditions is None:
            self._conditions = frozenset(_conditions_in(self.value))
        return self._conditions


def _conditions_in(value: JsonValue) -> Iterator[str]:
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            conditions = found.get(CONDITIONS)
            yield from map(str, conditions if isinstance(conditions, list) else ())
            waiting.extend(found.values())
        elif isinstance(found, list):
            waiting.extend(found)


def mapping_of(words: Mapping[str, JsonValue], keyword: str) -> dict[str, JsonValue]:
    """Return the value of a keyword; an empty map if it is missing or not a map."""
    value = words.get(keyword)
    return value if isinstance(value, dict) else {}


class Document:
    """Returns the schemas of a document; `find` resolves a `$ref`, None if it is unknown."""

    def __init__(self, find: Callable[[str], JsonValue]) -> None:
        self._find = find
        self._known: dict[int, Schema] = {}
        self._references: dict[str, Schema | None] = {}

    def schema(self, value: JsonValue) -> Schema:
        """Return the schema for a value of the document."""
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = Schema(value, self)  # keeps the value alive, so that its id is not reused
        return known

    def target(self, reference: str) -> Schema | None:
        """Return the schema that a reference refers to; None if it is unknown."""
        if reference not in self._references:
            value = self._find(reference)
            self._references[reference] = None if value is None else self.schema(value)
        return self._references[reference]


class Documents:
    """The schemas of one side, by version. Versions with the same schemas share a document."""

    def __init__(self, surface: Surface) -> None:
        self._schemas = surface.schemas
        self._known: dict[int, Document] = {}

    def at(self, version: str, path: str) -> Schema | None:
        """Return the schema of a place; None if it is unknown."""
        written = self._schemas.get(version)
        value = None if written is None else written.at(path)
        if written is None or value is None:
            return None
        document = self._known.get(id(written))
        if document is None:
            document = self._known[id(written)] = Document(written.target)
        return document.schema(value)
