"""Located nodes: the tree of a YAML document with the location of every key and value, and the context in which readers
read them: the report, and the element to which errors belong.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as AbstractSequence
from typing import TYPE_CHECKING, NamedTuple

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place, Related, Report
from apigen.diagnostics.suggest import nearest

if TYPE_CHECKING:
    from apigen.language.model import BrokenName, Literal


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
    if not isinstance(node, Scalar):
        return "a mapping" if isinstance(node, Mapping) else "a list"
    if isinstance(node.value, bool):
        return f"`{str(node.value).lower()}`"
    return {type(None): "nothing", str: "a string"}.get(type(node.value), "a number")


class TextError(ValueError):
    """A syntax error in a text at `offset`; `hint` is the fix."""

    def __init__(self, offset: int, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message
        self.hint = hint


MOST_SUGGESTIONS = 1_000
"""Suggestions of a run; to look for more would make a large hostile file slow."""


@dataclass(slots=True)
class _Run:
    """The state that the contexts of a run share."""

    report: Report
    broken: set[BrokenName] = field(default_factory=set)
    suggestions: int = 0


class Context:
    """The context of a reader: an error marks the element that it reads as broken."""

    __slots__ = ("_owner", "_run")

    def __init__(self, run: _Run, owner: BrokenName) -> None:
        self._run = run
        self._owner = owner

    @classmethod
    def of_run(cls, report: Report) -> Context:
        """The context from which all others of a run come."""
        return cls(_Run(report), ())

    def inside(self, *name: str) -> Context:
        """The context of something within this."""
        return Context(self._run, (*self._owner, *name))

    def error(
        self, code: str, place: Place, message: str, *, hint: str | None = None, related: Iterable[Related] = ()
    ) -> None:
        """Report an error of the element that is being read."""
        self._run.report.error(code, place, message, hint=hint, related=related)
        self.mark_broken()

    def text_error(self, code: str, scalar: Scalar, error: TextError) -> None:
        """Report that the text of a scalar is wrong, at the very character."""
        self.error(code, scalar.place_at(error.offset), error.message, hint=error.hint)

    def mismatch(self, node: Node, expected: str, hint: str | None = None) -> None:
        """Report a value of the wrong type. Without `hint`, the help line names the expected form."""
        self.error(
            "AG0202", node.place, f"expected {expected}, found {describe(node)}", hint=hint or f"write {expected}"
        )

    def mark_broken(self) -> None:
        """Mark the element that is being read as broken, after a reported error."""
        self._run.broken.add(self._owner)

    def is_broken(self, *name: str) -> bool:
        """Return whether the element, or a part of it with that name, is marked as broken, not counting nested parts."""
        return (*self._owner, *name) in self._run.broken

    def nearest(self, word: str, candidates: Iterable[str]) -> str | None:
        """The candidate that was probably meant."""
        if self._run.suggestions >= MOST_SUGGESTIONS:
            return None
        self._run.suggestions += 1
        return nearest(word, candidates)

    def did_you_mean(self, word: str, candidates: Iterable[str]) -> str | None:
        """`nearest` as a hint."""
        found = self.nearest(word, candidates)
        return None if found is None else f"did you mean `{found}`?"

    @property
    def owner(self) -> BrokenName:
        """The name of the element that is being read."""
        return self._owner

    @property
    def report(self) -> Report:
        """The report of the run."""
        return self._run.report

    @property
    def broken(self) -> frozenset[BrokenName]:
        """The names of everything that an error has struck so far in this run."""
        return frozenset(self._run.broken)
