"""The schemas that a document consists of, as they are written."""

from __future__ import annotations

from typing import Protocol

from apigen.compat.verdict.example import JsonValue

CONDITIONS = "x-apigen-conditions"
"""A keyword of them: texts of conditions of which nothing is known, but that the same text is the same condition."""


class WrittenSchemas(Protocol):
    """Of one document, by the path of the place that a schema speaks of: the name of a type, or that of a type and its member."""

    @property
    def is_all(self) -> bool:
        """Whether values are judged by them as they are, and nothing else is done to them: nothing is dropped or filled in."""
        ...

    def at(self, path: str) -> JsonValue:
        """The schema of a place; None where there is none, or more than one."""

    def target(self, reference: str) -> JsonValue:
        """The schema that a `$ref` leads to; None where it leads nowhere that is known."""
