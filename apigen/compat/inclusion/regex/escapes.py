"""What stands behind a backslash."""

from __future__ import annotations

import re

from apigen.compat.inclusion.regex.characters import DIGITS, WORDS, CharacterSet, complement
from apigen.compat.inclusion.regex.dialect import Dialect
from apigen.compat.inclusion.regex.undecidable import Undecidable

_CLASSES = {
    "d": DIGITS,
    "D": complement(DIGITS),
    "w": WORDS,
    "W": complement(WORDS),
}
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
_NUMBERS = {
    "x": re.compile(r"([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\}"),
    "u": re.compile(r"([0-9A-Fa-f]{4})"),
    "U": re.compile(r"([0-9A-Fa-f]{8})"),
}


def class_of(sign: str, dialect: Dialect) -> CharacterSet | None:
    """The class that an escape stands for; None if it is none."""
    if sign in ("s", "S"):
        return dialect.spaces if sign == "s" else complement(dialect.spaces)
    return _CLASSES.get(sign)


def control_of(sign: str, pattern: str, at: int) -> tuple[int, int]:
    """The character of an escape whose sign ends at `at`, and where reading goes on. Raises Undecidable for others."""
    if sign in _CONTROLS:
        return ord(_CONTROLS[sign]), at
    if sign in _NUMBERS:
        found = _NUMBERS[sign].match(pattern, at)
        code = -1 if found is None else int(next(filter(None, found.groups())), 16)
        if found is None or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise Undecidable(f"the pattern has `\\{sign}` without a character's number")
        return code, found.end()
    if sign.isalnum() or not sign.isascii():
        raise Undecidable(f"the pattern has `\\{sign}`, which is not understood here")
    return ord(sign), at
