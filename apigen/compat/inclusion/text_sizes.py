"""Texts of a given size: where only lengths and bytes are limited, arithmetic decides."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.inclusion.texts import Texts

_LONGEST = 100_000
_ENDLESS = 2**62
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
    most = _ENDLESS if inner.most is None else inner.most
    most_bytes = _ENDLESS if inner.most_bytes is None else inner.most_bytes
    shortest, longest = max(inner.least, -(-inner.least_bytes // 4)), min(most, most_bytes)
    smallest, largest = max(inner.least_bytes, inner.least), min(most_bytes, 4 * most)
    if shortest > longest or smallest > largest:
        return
    if shortest < outer.least:
        length = min(longest, outer.least - 1)
        yield length, max(length, inner.least_bytes)
    if outer.most is not None and outer.most < longest:
        length = max(shortest, outer.most + 1)
        yield length, max(length, inner.least_bytes)
    if smallest < outer.least_bytes:
        size = min(largest, outer.least_bytes - 1)
        yield min(size, most), size
    if outer.most_bytes is not None and outer.most_bytes < largest:
        size = max(smallest, outer.most_bytes + 1)
        yield min(size, most), size
