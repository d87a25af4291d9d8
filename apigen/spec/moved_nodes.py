"""Nodes of text that stands in a file once more, further down: they are those of the first time, with other lines.

`block_nodes` does not read such text again; nodes of it are made where somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as AbstractSequence
from typing import Any, TypeVar, overload

from apigen.spec.nodes import Entry, Mapping, Node, Scalar, Sequence

T = TypeVar("T", Entry, Node)

_new = tuple.__new__
"""Makes a named tuple of what is known to be right, without a call in between."""


class Moved(AbstractSequence[T]):
    """The entries of a mapping, or the items of a list, `by` lines further down than `of`, which it is equal to but for that."""

    __slots__ = ("_made", "by", "of")

    def __init__(self, of: AbstractSequence[T], by: int) -> None:
        self.of: AbstractSequence[T] = of
        self.by: int = by
        if isinstance(of, Moved):  # text that stands there a third time
            self.of, self.by = of.of, of.by + by
        self._made: tuple[T, ...] | None = None

    def __len__(self) -> int:
        return len(self.of)

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...

    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if self._made is None:
            self._made = tuple(_further_down(each, self.by) for each in self.of)
        return self._made[index]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, AbstractSequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(self._plain())

    def __reduce__(self) -> tuple[Callable[[AbstractSequence[T]], AbstractSequence[T]], tuple[AbstractSequence[T]]]:
        plain = self._plain()
        return plain.__class__, (plain,)

    def _plain(self) -> AbstractSequence[T]:
        """The same in the form that `of` has."""
        return list(self) if isinstance(self.of, list) else tuple(self)


def moved(node: Mapping, by: int) -> Mapping:
    """A mapping so many lines further down."""
    entries, repeated, damaged, file, line, column = node
    return Mapping(Moved(entries, by), repeated, damaged, file, line + by, column)


def first_of(node: Mapping) -> AbstractSequence[Entry]:
    """The entries of a mapping as they stand where its text was read: all mappings of that text have the same ones."""
    return node.entries.of if isinstance(node.entries, Moved) else node.entries


def _further_down(part: T, by: int) -> T:
    """An entry or a node so many lines further down."""
    found: Any = part
    class_: type = part.__class__
    if class_ is Scalar:
        value, text, plain, file, line, column, inner = found
        made: Any = _new(Scalar, (value, text, plain, file, line + by, column, inner))
    elif class_ is Entry:
        made = _new(Entry, (_further_down(found.key, by), _further_down(found.value, by)))
    elif class_ is Mapping:
        made = moved(found, by)
    else:
        made = Sequence(Moved(found.items, by), found.file, found.line + by, found.column)
    further: T = made
    return further
