"""A cache of the files that this process has read: one with the same text and name is not read again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from apigen.language.broken import Name
from apigen.language.context import Context
from apigen.language.source import SourceFile

T = TypeVar("T")

Make = Callable[[SourceFile, Context], T | None]
"""Reads a file; errors go to the report of the context."""


class ReadOnce:
    """The last text of each file that was read without diagnostics, so that no diagnostic is omitted."""

    def __init__(self) -> None:
        self._read: dict[tuple[str, Name, str], tuple[str, object]] = {}

    def value(self, class_: type[T], file: SourceFile, context: Context, make: Make[T]) -> T | None:
        """Return the result of `make` for a file of the owner of `context`, cached for the same text."""
        key = class_.__name__, context.owner, file.name
        text, known = self._read.get(key, ("", None))
        if text == file.text and isinstance(known, class_):
            return known
        count = context.report.reported
        value = make(file, context)
        if value is not None and context.report.reported == count:
            self._read[key] = file.text, value
        return value
