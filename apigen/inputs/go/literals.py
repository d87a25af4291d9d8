"""The values of Go literals (Go specification, "Lexical elements")."""

from __future__ import annotations

import re
from fractions import Fraction

LONGEST_NUMBER = 200
"""Maximum length of a number; a longer one does not fit any type of an API."""

LARGEST_EXPONENT = 400

_ESCAPE = re.compile(r"""\\(?:([abfnrtv\\'"])|([0-7]{3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))""")
_SIMPLE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", "'": "'", '"': '"'}
_OLD_OCTAL = re.compile(r"0[0-7_]+")
_EXPONENT = re.compile(r"[eEpP]([+-]?\d+)$")


def string_value(literal: str) -> str | None:
    """Return the value of a string literal; None if it is not a string literal, or its value is not valid UTF-8."""
    if len(literal) >= 2 and literal[0] == literal[-1] == "`":
        return literal[1:-1].replace("\r", "")
    if len(literal) >= 2 and literal[0] == literal[-1] == '"' and "\n" not in literal:
        return _unescaped(literal[1:-1])
    return None


def rune_value(literal: str) -> int | None:
    """Return the code point of a rune literal; None if it is not one."""
    text = literal[1:-1]
    if len(literal) < 3 or text == "'":
        return None
    escape = _ESCAPE.fullmatch(text)
    if escape is None:
        return ord(text) if len(text) == 1 and text != "\\" else None
    simple, octal, *hexadecimal = escape.groups()
    if simple is not None:
        return ord(_SIMPLE[simple])
    return int(octal, 8) if octal is not None else int(next(part for part in hexadecimal if part), 16)


def int_value(literal: str) -> int | None:
    """Return the value of an integer literal in any of Go's notations; None if it is not one, or too long."""
    if len(literal) > LONGEST_NUMBER:
        return None
    try:
        return int(literal.replace("_", ""), 8) if _OLD_OCTAL.fullmatch(literal) else int(literal, 0)
    except ValueError:
        return None


def float_value(literal: str) -> Fraction | None:
    """Return the exact value of a floating-point literal; None if it is not one, too long, or its exponent is too
    large.
    """
    text = literal.replace("_", "")
    exponent = _EXPONENT.search(text)
    if len(text) > LONGEST_NUMBER or (exponent is not None and len(exponent[1]) > 5):
        return None
    power = 0 if exponent is None else int(exponent[1])
    if abs(power) > LARGEST_EXPONENT:
        return None
    try:
        if not text.lower().startswith("0x"):
            return Fraction(text)
        mantissa = text[2:] if exponent is None else text[2 : exponent.start()]
        integer, _, fraction = mantissa.partition(".")
        return Fraction(int(integer + fraction, 16), 16 ** len(fraction)) * Fraction(2) ** power
    except ValueError:
        return None


def _unescaped(text: str) -> str | None:
    """The text with its escapes resolved. `\\x` and octal escapes are bytes, which must give UTF-8 together."""
    if "\\" not in text:
        return None if '"' in text else text
    parts: list[bytes] = []
    position = 0
    for escape in _ESCAPE.finditer(text):
        between = text[position : escape.start()]
        value = _escaped_bytes(escape)
        if value is None or "\\" in between or '"' in between:
            return None
        parts += [between.encode(), value]
        position = escape.end()
    rest = text[position:]
    if "\\" in rest or '"' in rest:
        return None
    try:
        return b"".join([*parts, rest.encode()]).decode("utf-8")
    except UnicodeDecodeError:
        return None


def _escaped_bytes(escape: re.Match[str]) -> bytes | None:
    simple, octal, byte, short, long = escape.groups()
    if simple is not None:
        return None if simple == "'" else _SIMPLE[simple].encode()
    if octal is not None or byte is not None:
        number = int(octal or "", 8) if byte is None else int(byte, 16)
        return bytes([number]) if number < 256 else None
    number = int(short or long or "", 16)
    return None if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF else chr(number).encode()
