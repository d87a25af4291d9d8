"""What loading asks before it reads a file: whether somebody has read the same before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from apigen.spec.context import Context
from apigen.spec.source import SourceFile

T = TypeVar("T")

Make = Callable[[SourceFile, Context], T | None]
"""Reads a file; what is wrong with it goes to the report of the context."""


class ReadBefore(Protocol):
    """What was read of files before."""

    def value(self, class_: type[T], file: SourceFile, context: Context, make: Make[T]) -> T | None:
        """What `make` makes of a file that belongs to what `context` is of, or what it made of the same text before."""
