"""Sets of characters, as ranges of code points in order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

CharacterSet = tuple[tuple[int, int], ...]
"""Ranges from and to, both included, in order and apart from each other."""

ANY: CharacterSet = ((0, 0xD7FF), (0xE000, 0x10FFFF))
"""What text can hold: no halves of surrogate pairs."""


def joined(ranges: Iterable[tuple[int, int]]) -> CharacterSet:
    """Ranges in any order, as a set. What no text can hold is left out."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return _within_text(found)


def characters(text: str) -> CharacterSet:
    """The characters of a text."""
    return joined((ord(each), ord(each)) for each in text)


def complement(of: CharacterSet) -> CharacterSet:
    """All others."""
    found: list[tuple[int, int]] = []
    start = 0
    for low, high in of:
        if start < low:
            found.append((start, low - 1))
        start = high + 1
    if start <= 0x10FFFF:
        found.append((start, 0x10FFFF))
    return _within_text(found)


def contains(of: CharacterSet, code: int) -> bool:
    """Whether a character is in a set."""
    index = bisect_right(of, (code, 0x110000)) - 1
    return index >= 0 and code <= of[index][1]


def _within_text(ranges: Iterable[tuple[int, int]]) -> CharacterSet:
    return tuple(
        (max(low, first), min(high, last))
        for low, high in ranges
        for first, last in ANY
        if max(low, first) <= min(high, last)
    )


DIGITS = characters("0123456789")
SPACES = characters(" \t\n\r\f\v")
LETTERS = joined([(ord("a"), ord("z")), (ord("A"), ord("Z"))])
WORDS = joined([*LETTERS, *DIGITS, (ord("_"), ord("_"))])
LINE_BREAK = characters("\n")
