"""Keys of YAML mappings: their order, and which of them are too much for one line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cmp_to_key

from .errors import EncodeError

_LETTERS = re.compile("[A-Za-z]*")
_LINE_BREAK = re.compile("[\n\r\x85\u2028\u2029]")
_MAX_SIMPLE_KEY = 128


def is_simple_key(key: str) -> bool:
    """Return whether the key is written before its colon, without a question mark."""
    return len(
        key.encode("utf-8", "replace")
    ) <= _MAX_SIMPLE_KEY and not _LINE_BREAK.search(key)


def sorted_keys(keys: Iterable[object]) -> list[str]:
    """Return the keys in the order of Go's YAML library: letters after all else, numbers in them by their value.

    Raises EncodeError for a key that is not a string.
    """
    names: list[str] = []
    for key in keys:
        if not isinstance(key, str):
            raise EncodeError("", f"the name {key!r} is not a string")
        names.append(key)
    names.sort()
    if not all(map(_LETTERS.fullmatch, names)):
        # Go's order is cyclic for some keys (1:30, 01, 0x1), and depends on their original order.
        names.sort(key=cmp_to_key(_compare))
    return names


def _compare(a: str, b: str) -> int:
    at = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    if at is None:
        return len(a) - len(b)
    x, y = a[at], b[at]
    if x.isalpha() or y.isalpha():
        return (
            ord(x) - ord(y)
            if x.isalpha() and y.isalpha()
            else (1 if x.isalpha() else -1)
        )
    one = 1 if (x == "0" or y == "0") and _follows_number(a, at) else 0
    m, end_m = _integer(a, at, one)
    n, end_n = _integer(b, at, one)
    if m != n:
        return m - n
    return end_m - end_n or ord(x) - ord(y)


def _follows_number(text: str, at: int) -> bool:
    """Return whether the digits right before are a number other than zero, so that a zero here counts."""
    while at > 0 and text[at - 1].isdecimal():
        at -= 1
        if text[at] != "0":
            return True
    return False


def _integer(text: str, start: int, value: int) -> tuple[int, int]:
    """Return the number of the digits from `start`, after `value`, modulo 2**64 as in Go; and their end."""
    end = start
    while end < len(text) and text[end].isdecimal():
        value = (value * 10 + ord(text[end]) - ord("0")) % 2**64
        end += 1
    return (value + 2**63) % 2**64 - 2**63, end
