"""Decoded JSON values with their source text.

They are instances of str, int, float, dict or list, as the decoders expect, with the attribute `raw`. true, false and
null do not need it: their text is always the same.
"""

from __future__ import annotations

import os

KEPT = f"\0{os.urandom(8).hex()}:"
"""The prefix of a string that is the source text of another value, in trees that keep it as a list of the string and
an object.

No document can contain it, because it is random for each process.
"""
_INT_DIGITS = 640
"""`int()` accepts as many digits under every `sys.set_int_max_str_digits`."""
_BEYOND = 10**_INT_DIGITS


class JsonText:
    """Base of values that are any JSON value, kept as its text."""

    __slots__ = ()

    raw: bytes


class Sourced:
    """Mixin: `raw` is the exact source text of the value, with its spaces, escapes and repeated members."""

    source: tuple[str, int, int]
    """The whole text, and where the value starts and ends in it."""

    @property
    def raw(self) -> bytes:
        text, start, end = self.source
        return text[start:end].encode("utf-8", "surrogateescape")


class RawStr(str, Sourced):
    """A string with its source."""


class RawInt(int, Sourced):
    """An integer with its source."""


class RawFloat(float, Sourced):
    """A number with a point or an exponent, with its source, which is also its `str()`."""

    def __str__(self) -> str:
        text, start, end = self.source
        return text[start:end]

    __repr__ = __str__


class LongInt(RawInt):
    """An integer that is too long for `int()`, which takes quadratic time: it compares by its text, its `str()`.

    As a number, it is out of the range of all fields.
    """

    def __str__(self) -> str:
        text, start, end = self.source
        return text[start:end]

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LongInt):
            return str(self) == str(other)
        return NotImplemented if not isinstance(other, (int, float)) else False

    def __hash__(self) -> int:
        return hash(str(self))


class RawDict(dict[str, object], Sourced):
    """An object with its source."""


class RawList(list[object], Sourced):
    """A list with its source."""


def exact_float(text: str) -> RawFloat:
    """Return the float with its text; for json.JSONDecoder(parse_float=…)."""
    value = RawFloat(text)
    value.source = (text, 0, len(text))
    return value


def exact_int(text: str) -> int:
    """Return the integer, of any length; for json.JSONDecoder(parse_int=…)."""
    if len(text) <= _INT_DIGITS:
        return int(text)
    value = LongInt(-_BEYOND if text[0] == "-" else _BEYOND)
    value.source = (text, 0, len(text))
    return value


def with_source(value: object, text: str, start: int, end: int) -> object:
    """Return the value with text[start:end] as its source (of a dict or list: a shallow copy)."""
    sourced: RawStr | RawInt | RawFloat | RawDict | RawList
    if isinstance(value, str):
        sourced = RawStr(value)
    elif isinstance(value, dict):
        sourced = value if type(value) is RawDict else RawDict(value)
    elif isinstance(value, list):
        sourced = value if type(value) is RawList else RawList(value)
    elif isinstance(value, float):
        sourced = RawFloat(value)
    elif value is None or isinstance(value, bool):
        return value
    else:
        assert isinstance(value, int)
        sourced = LongInt(value) if isinstance(value, LongInt) else RawInt(value)
    sourced.source = (text, start, end)
    return sourced


def source_of(value: object) -> bytes | None:
    """The exact source text of a value, if it is known. Raises ValueError for one that is a part of such a list."""
    if isinstance(value, Sourced):
        return value.raw
    if isinstance(value, str) and value.startswith(KEPT):
        raise ValueError("a part of kept text")
    if isinstance(value, list) and len(value) == 2:
        kept = value[0]
        if isinstance(kept, str) and kept.startswith(KEPT):
            return kept.removeprefix(KEPT).encode()
    return None
