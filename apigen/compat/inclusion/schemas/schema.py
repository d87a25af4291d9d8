"""A schema with the document that its references are looked up in."""

from __future__ import annotations

from collections.abc import Callable

from apigen.compat.verdict.example import JsonValue


class Schema:
    """One schema. Two are the same only if they are one object, so that a schema that is met again is known again."""

    __slots__ = ("document", "value")

    def __init__(self, value: JsonValue, document: Document) -> None:
        self.value = value
        self.document = document


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
