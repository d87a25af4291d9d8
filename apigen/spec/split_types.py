"""The text of a version's file, split type by type without being read: to know which of them stand in another file, too."""

from __future__ import annotations

import re

from apigen.dataclass import dataclass

TYPE_COLUMN = 3
"""The column at which the names of types stand in a file that is split."""

_TYPE = re.compile(r"\n  (?=[^\s#])")
_NO_TYPE = re.compile(r"\n[^\s#]")
_STAR = re.compile(r"\*(?=[^\s*])")
_BEFORE_NODES = frozenset("\n:,?[{-")
"""What a node may stand behind, spaces aside."""

_MASK = "#\n"


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of one type, down to the next, and the line at which it begins."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class SplitText:
    """What stands above the types, and these."""

    head: str
    pieces: tuple[Piece, ...]

    def masked(self, shown: frozenset[int]) -> str:
        """The text with comments in place of the types that do not begin at the lines `shown`; all others stay where they are."""
        parts = (piece.text if piece.line in shown else _MASK * (piece.text.count("\n") or 1) for piece in self.pieces)
        return self.head + "".join(parts)


def split_types(text: str) -> SplitText | None:
    """Split at the lines that look like the name of a type; None where what stands in one type may say something of another.

    What only looks like the name of a type (in text of several lines) is for the reader of the pieces to find out.
    """
    starts = [
        match.start() for match in _TYPE.finditer(f"\n{text}")
    ]  # with what ends the line above, each where it begins
    if not starts or "\r" in text or _NO_TYPE.search(text, starts[0]) or _has_alias(text):
        return None
    line = text.count("\n", 0, starts[0]) + 1
    pieces: list[Piece] = []
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        pieces.append(Piece(text[start:end], line))
        line += text.count("\n", start, end)
    return SplitText(text[: starts[0]], tuple(pieces))


def _has_alias(text: str) -> bool:
    return "*" in text and any(_begins_node(text, star.start()) for star in _STAR.finditer(text))


def _begins_node(text: str, at: int) -> bool:
    """Whether what stands there may be all of a node, and no part of a text."""
    while at and text[at - 1] == " ":
        at -= 1
    return not at or text[at - 1] in _BEFORE_NODES
