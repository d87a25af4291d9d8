"""Ranges of numbers as text: `4 to 10, 100 to max`."""

from __future__ import annotations

_MAX = 2**29 - 1


def uncovered(before: str, after: str) -> list[str]:
    """The parts of the ranges of before that those of after leave out."""
    gone: list[str] = []
    theirs = _ranges(after)
    for start, last in _ranges(before):
        first = start
        for low, high in theirs:
            if high < first or low > last:
                continue
            if low > first:
                gone.append(_words(first, low - 1))
            first = high + 1
        if first <= last:
            gone.append(_words(first, last))
    return gone


def _ranges(text: str) -> list[tuple[int, int]]:
    parts = [part.split(" to ") for part in text.split(", ") if part]
    return sorted((int(first), _MAX if last == "max" else int(last)) for first, last in parts)


def _words(first: int, last: int) -> str:
    return f"{first} to {'max' if last == _MAX else last}"
