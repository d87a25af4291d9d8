"""The value of a plain scalar in the core schema of YAML 1.2 (section 10.3.2), unlike PyYAML, which implements YAML
1.1.

So `on`, `no`, `1_000` and `12:30` are text, `010` is ten, `0o17` is fifteen, and `1e3` is a number.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apigen.language.model import Literal

LONGEST_NUMBER = 100
"""Maximum digits of a number; the numbers of all types have less than half as many."""

WORDS: dict[str, Literal] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
"""Plain scalars that are neither strings nor finite numbers."""

NUMBER_START = frozenset("+-.0123456789")
"""The first characters of numbers."""

_DECIMAL = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")


class NumberTooLongError(ValueError):
    """A number with more digits than anything needs."""


@lru_cache(maxsize=4096)
def resolve(text: str) -> Literal:
    """The value of a plain scalar. Raises NumberTooLongError."""
    if text in WORDS:
        return WORDS[text]
    if text[0] not in NUMBER_START:
        return text
    number = _number(text)
    return text if number is None else number


def _number(text: str) -> int | float | None:
    if _DECIMAL.fullmatch(text):
        _limit(text)
        return int(text)
    for pattern, base in ((_OCTAL, 8), (_HEXADECIMAL, 16)):
        if pattern.fullmatch(text):
            _limit(text)
            return int(text[2:], base)
    if _FLOAT.fullmatch(text):
        _limit(text)
        return float(text)
    return None


def _limit(text: str) -> None:
    if len(text) > LONGEST_NUMBER:
        raise NumberTooLongError
