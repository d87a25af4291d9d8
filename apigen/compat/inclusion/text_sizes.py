"""Texts of a given size: where only lengths and bytes are limited, arithmetic decides."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.inclusion.texts import Texts

_LONGEST = 100_000
_WIDTHS = {1: "é", 2: "€", 3: "😀"}
"""Characters by the bytes that they have more than one."""


def text_of(length: int, size: int) -> str | None:
    """A text of so many characters and bytes; None where there is none, or it is too long to be shown."""
    more = size - length
    if length > _LONGEST or not 0 <= more <= 3 * length:
        return None
    wide, rest = divmod(more, 3)
    tail = _WIDTHS[rest] if rest else ""
    return "a" * (length - wide - len(tail)) + tail + _WIDTHS[3] * wide


def sizes_outside(inner: Texts, outer: Texts) -> Iterator[tuple[int, int]]:
    """Lengths and bytes that `inner` has and `outer` has not, next to each bound of `outer`. None: there are none."""
    if inner.least < outer.least:
        yield from _by_length(inner, outer.least - 1)
    if outer.most is not None:
        yield from _by_length(inner, max(outer.most + 1, inner.least))
    if outer.least_bytes:
        yield from _by_size(inner, outer.least_bytes - 1)
    if outer.most_bytes is not None:
        yield from _by_size(inner, max(outer.most_bytes + 1, inner.least_bytes))


def _by_length(inner: Texts, length: int) -> Iterator[tuple[int, int]]:
    """Texts of a length, or of the nearest that there is: shorter ones for a least length, see the callers."""
    if inner.least <= length and (inner.most is None or length <= inner.most):
        size = max(length, inner.least_bytes)
        if size <= 4 * length and (inner.most_bytes is None or size <= inner.most_bytes):
            yield length, size


def _by_size(inner: Texts, size: int) -> Iterator[tuple[int, int]]:
    if inner.least_bytes <= size and (inner.most_bytes is None or size <= inner.most_bytes):
        length = size if inner.most is None else min(size, inner.most)
        if length >= inner.least and 4 * length >= size:
            yield length, size
