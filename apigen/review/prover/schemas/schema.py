"""A schema with the document that its references are looked up in."""

from __future__ import annotations

import json
from collections.abc import Callable

from apigen.review.verdict.example import JsonValue

_OPAQUE = frozenset(
    {
        *("$dynamicRef", "$recursiveRef", "unevaluatedProperties", "unevaluatedItems", "extends", "disallow"),
        *("divisibleBy", "nullable", "contentSchema"),
    }
)
_OF_KUBERNETES = "x-kubernetes-"
_ELSEWHERE = (f'"{_OF_KUBERNETES}', *(f'"{keyword}":' for keyword in ("$ref", *_OPAQUE)))
"""How JSON looks where a keyword stands in it whose meaning is not written in the schema that has it."""


def is_opaque(keyword: str) -> bool:
    """Whether values are judged by a keyword in a way that is not known here."""
    return keyword in _OPAQUE or keyword.startswith(_OF_KUBERNETES)


class Schema:
    """One schema. Two are the same only if they are one object, so that a schema that is met again is known again."""

    __slots__ = ("_text", "document", "value")

    def __init__(self, value: JsonValue, document: Document) -> None:
        self.value = value
        self.document = document
        self._text: str | None = None

    @property
    def text(self) -> str:
        """Schemas with the same text accept the same values; empty where it does not tell, as what is meant stands elsewhere."""
        if self._text is None:
            text = json.dumps(self.value, sort_keys=True)
            self._text = "" if any(each in text for each in _ELSEWHERE) else text
        return self._text


class Document:
    """Hands out the schemas of a document; `find` is what `$ref` means there, None where it leads nowhere."""

    def __init__(self, find: Callable[[str], JsonValue]) -> None:
        self._find = find
        self._known: dict[int, Schema] = {}
        self._references: dict[str, Schema | None] = {}

    def schema(self, value: JsonValue) -> Schema:
        """The schema that a value of the document is."""
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = Schema(value, self)  # holds the value, so that its id stays its own
        return known

    def target(self, reference: str) -> Schema | None:
        """The schema that a reference leads to."""
        if reference not in self._references:
            value = self._find(reference)
            self._references[reference] = None if value is None else self.schema(value)
        return self._references[reference]
