"""Located nodes: the tree of a YAML document with the location of every key and value."""

from __future__ import annotations

from collections.abc import Sequence as AbstractSequence
from typing import TYPE_CHECKING, NamedTuple

from apigen.diagnostics import Place

if TYPE_CHECKING:
    from apigen.language.paths import Literal

MAX_DEPTH = 100
"""Maximum levels of nesting; the language itself has about fifteen."""


class Scalar(NamedTuple):
    """A scalar. `value` follows the rules of YAML 1.2; `text` is the written text with resolved escapes.

    `inner` is the column of the first character of `text`, if all of `text` is on one line
    character by character; else 0.
    """

    value: Literal
    text: str
    plain: bool
    file: str
    line: int
    column: int
    inner: int

    @property
    def place(self) -> Place:
        """The location of its start."""
        return Place(self.file, self.line, self.column)

    def place_at(self, offset: int) -> Place:
        """Return the location of a character of `text`, or that of the scalar if it is not known."""
        return Place(self.file, self.line, self.inner + offset) if self.inner else self.place


class Entry(NamedTuple):
    """A key of a mapping, which is always text, and its value."""

    key: Scalar
    value: Node


class Mapping(NamedTuple):
    """A mapping in written order, each key once.

    `repeated` are keys that were written more than once (the first counts); `damaged`: it had a key that could not be
    used. Both have been reported.
    """

    entries: AbstractSequence[Entry]
    repeated: frozenset[str]
    damaged: bool
    file: str
    line: int
    column: int

    @property
    def place(self) -> Place:
        """The location of its start."""
        return Place(self.file, self.line, self.column)


class Sequence(NamedTuple):
    """A sequence."""

    items: AbstractSequence[Node]
    file: str
    line: int
    column: int

    @property
    def place(self) -> Place:
        """The location of its start."""
        return Place(self.file, self.line, self.column)


Node = Scalar | Mapping | Sequence


def describe(node: Node) -> str:
    """Return a description of a node, for `expected …, found …`."""
    match node:
        case Mapping():
            return "a mapping"
        case Sequence():
            return "a list"
        case Scalar(value=None):
            return "nothing"
        case Scalar(value=bool()):
            return f"`{str(node.value).lower()}`"
        case Scalar(value=str()):
            return "a string"
        case _:
            return "a number"
