"""The values of plain YAML scalars in Kubernetes, whose YAML library implements version 1.1 without numbers of base 60."""

from __future__ import annotations

import re

from .errors import DecodeError, shortened

_PREFIX = "tag:yaml.org,2002:"
STR_TAG = _PREFIX + "str"
MERGE_TAG = _PREFIX + "merge"
BINARY_TAG = _PREFIX + "binary"
_INT_TAG = _PREFIX + "int"
_FLOAT_TAG = _PREFIX + "float"
_BOOL_TAG = _PREFIX + "bool"
_NULL_TAG = _PREFIX + "null"
_TIMESTAMP_TAG = _PREFIX + "timestamp"
_RESOLVED_TAGS = frozenset(
    {"", STR_TAG, _INT_TAG, _FLOAT_TAG, _BOOL_TAG, _NULL_TAG, _TIMESTAMP_TAG}
)

_WORDS: dict[str, bool | float | None] = {
    **dict.fromkeys(
        ("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True
    ),
    **dict.fromkeys(
        ("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"),
        False,
    ),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
}
_NUMERIC_START = frozenset("+-.0123456789")
_INTEGER = re.compile(
    r"([+-]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]([0-7]+)|0[bB]([01]+)|0([0-7]+)|(0|[1-9][0-9]*))",
    re.ASCII,
)
_BASES = (16, 8, 2, 8, 10)
_SIGNED_BINARY = re.compile(
    r"0b([+-])([01]+)", re.ASCII
)  # an oddity of Go's YAML library
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", re.ASCII
)
_POINT_FLOAT = re.compile(
    r"\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?", re.ASCII
)
_TIMESTAMP = re.compile(
    r"[0-9]{4}-([0-9]{1,2})-([0-9]{1,2})"
    r"(?:(?:[Tt]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(?:Z|[+-]([0-9]{2}):([0-9]{2})))"
    r"|(?: ([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?))?",
    re.ASCII,
)
_BASE_60 = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?", re.ASCII)
_LONGEST_INTEGERS = (16, 22, 64, 22, 20)
"""Digits of a number of 64 bits, by base; longer text is not passed to `int`, which takes quadratic time."""


def plain_value(text: str) -> str | int | float | bool | None:
    """Return the value of a plain scalar: `yes` is True, `010` is 8, `1e3` is 1000.0, `2001-02-03` is a string."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMERIC_START:
        return text
    number = _number(text)
    return text if number is None else number


def tagged_value(tag: str, text: str) -> str | int | float | bool | None:
    """Return the value of a scalar with an explicit tag. Raises DecodeError if the text is not of the tag's type."""
    if tag == STR_TAG or tag not in _RESOLVED_TAGS:
        return text
    value = plain_value(text)
    if (
        tag == _FLOAT_TAG
        and isinstance(value, int)
        and not isinstance(value, bool)
        and value < 2**63
    ):
        return float(value)
    if tag != _tag_of(value, text, tag):
        raise DecodeError(
            "", f"{shortened(text)} is not of the type {tag.replace(_PREFIX, '!!')}"
        )
    return value


def _tag_of(value: object, text: str, expected: str) -> str:
    if value is None:
        return _NULL_TAG
    if isinstance(value, bool):
        return _BOOL_TAG
    if isinstance(value, int):
        return _INT_TAG
    if isinstance(value, float):
        return _FLOAT_TAG
    return (
        _TIMESTAMP_TAG if expected == _TIMESTAMP_TAG and is_timestamp(text) else STR_TAG
    )


def is_plain_string(text: str) -> bool:
    """Return whether the text without quotes is read as this string, also by readers that know dates and base 60."""
    if not isinstance(plain_value(text), str):
        return False
    return text[0] not in "+-0123456789" or not (
        is_timestamp(text) or _BASE_60.fullmatch(text)
    )


def is_timestamp(text: str) -> bool:
    """Return whether Go's YAML library parses the text as a date or time."""
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        return False
    parts = [int(part or "0") for part in match.groups()]
    month, day = parts[:2]
    hour, minute, second = (
        max(pair) for pair in zip(parts[2:5], parts[7:10], strict=True)
    )
    if not (
        1 <= month <= 12
        and hour < 24
        and minute < 60
        and second < 60
        and parts[5] <= 24
        and parts[6] <= 60
    ):
        return False
    return 1 <= day <= _days(int(text[:4]), month)


def _days(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _number(text: str) -> int | float | None:
    if text[0] == ".":
        return _float(text) if _POINT_FLOAT.fullmatch(text) else None
    plain = text.replace("_", "")
    if is_timestamp(text):
        return None
    integer = _integer(plain)
    if integer is not None:
        return integer
    return _float(plain) if _FLOAT.fullmatch(plain) else None


def _integer(text: str) -> int | None:
    """Return the integer if 64 bits hold it, signed or not."""
    text = _SIGNED_BINARY.sub(r"\g<1>0b\g<2>", text) if text[1:2] == "b" else text
    match = _INTEGER.fullmatch(text)
    if match is None:
        return None
    digits, base, longest = next(
        (digits, base, longest)
        for digits, base, longest in zip(
            match.groups()[1:], _BASES, _LONGEST_INTEGERS, strict=True
        )
        if digits
    )
    digits = digits.lstrip("0")
    if len(digits) > longest:
        return None
    value = int(digits or "0", base)
    if match[1]:
        value = -value if match[1] == "-" else value
        return value if -(2**63) <= value < 2**63 else None
    return value if value < 2**64 else None


def _float(text: str) -> float | None:
    value = float(text)
    return None if value in (float("inf"), float("-inf")) else value
