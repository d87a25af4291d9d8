"""Values of constants, and Go's arithmetic with them (Go specification, "Constants" and "Constant expressions").

Numbers are exact. A value that would be too large is None.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from enum import IntEnum
from fractions import Fraction

from apigen.dataclass import dataclass, replace

MOST_BITS = 1024
"""Bits of a number; Go's compiler stops at 512."""

LONGEST_TEXT = 100_000


class Kind(IntEnum):
    """The kind of a constant. The result of an operation on two numbers has the higher kind."""

    BOOL = 0
    TEXT = 1
    INT = 2
    RUNE = 3
    FLOAT = 4


@dataclass(frozen=True, slots=True)
class Value:
    """A value, and its type as written in the declaration of the constant; None if untyped."""

    kind: Kind
    value: bool | str | int | Fraction
    type: str | None = None

    @property
    def plain(self) -> bool | str | int | float | None:
        """Return the Python value; None for a number that is larger than any float."""
        if not isinstance(self.value, Fraction):
            return self.value
        try:
            return float(self.value)
        except OverflowError:
            return None


KINDS: Mapping[str, Kind] = {
    "bool": Kind.BOOL,
    "string": Kind.TEXT,
    "rune": Kind.RUNE,
    "byte": Kind.INT,
    "uintptr": Kind.INT,
    **{f"{sign}int{size}": Kind.INT for sign in ("", "u") for size in ("", "8", "16", "32", "64")},
    **{f"float{size}": Kind.FLOAT for size in ("32", "64")},
}
"""The kinds of the types that Go declares itself."""

_ARITHMETIC: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
}
_BITS: Mapping[str, Callable[[int, int], int]] = {
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "&^": lambda left, right: left & ~right,
}
_COMPARISONS: Mapping[str, Callable[[int | Fraction | str, int | Fraction | str], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def converted(value: Value, kind: Kind | None, type_: str | None) -> Value | None:
    """Convert the value to a type of this kind; return None if Go would reject it. For an unknown kind, the value is
    unchanged.
    """
    if kind is None or kind is value.kind or {kind, value.kind} == {Kind.INT, Kind.RUNE}:
        return replace(value, kind=value.kind if kind is None else kind, type=type_)
    if kind is Kind.TEXT and value.kind in (Kind.INT, Kind.RUNE):
        number = int(value.value)
        is_character = 0 <= number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF
        return Value(Kind.TEXT, chr(number) if is_character else "\ufffd", type_)
    if kind is Kind.FLOAT and value.kind in (Kind.INT, Kind.RUNE):
        return Value(Kind.FLOAT, Fraction(int(value.value)), type_)
    if kind in (Kind.INT, Kind.RUNE) and value.kind is Kind.FLOAT:
        exact = Fraction(value.value)
        return Value(kind, exact.numerator, type_) if exact.denominator == 1 else None
    return None


def unary(sign: str, value: Value) -> Value | None:
    """`+x`, `-x`, `!x` or `^x`."""
    if value.kind is Kind.BOOL:
        return replace(value, value=not value.value) if sign == "!" else None
    if value.kind is Kind.TEXT or isinstance(value.value, str):
        return None
    if sign in ("+", "-"):
        return replace(value, value=value.value if sign == "+" else -value.value)
    return replace(value, value=~value.value) if sign == "^" and isinstance(value.value, int) else None


def binary(sign: str, left: Value, right: Value) -> Value | None:
    """`x + y` and all other operators with two sides."""
    if sign in ("<<", ">>"):
        return _shifted(sign, left, right)
    type_ = left.type or right.type
    if left.kind is Kind.BOOL or right.kind is Kind.BOOL:
        return _of_bools(sign, left, right)
    if (left.kind is Kind.TEXT) is not (right.kind is Kind.TEXT):
        return None
    if sign in _COMPARISONS:
        return Value(Kind.BOOL, _COMPARISONS[sign](left.value, right.value))
    if isinstance(left.value, str) and isinstance(right.value, str):
        is_short = len(left.value) + len(right.value) <= LONGEST_TEXT
        return Value(Kind.TEXT, left.value + right.value, type_) if sign == "+" and is_short else None
    assert not isinstance(left.value, str) and not isinstance(right.value, str)
    return _of_numbers(sign, left.value, right.value, max(left.kind, right.kind), type_)


def _of_bools(sign: str, left: Value, right: Value) -> Value | None:
    if left.kind is not right.kind:
        return None
    results = {
        "&&": bool(left.value and right.value),
        "||": bool(left.value or right.value),
        "==": left.value == right.value,
        "!=": left.value != right.value,
    }
    return Value(Kind.BOOL, results[sign], left.type or right.type) if sign in results else None


def _of_numbers(sign: str, left: int | Fraction, right: int | Fraction, kind: Kind, type_: str | None) -> Value | None:
    result: int | Fraction
    if sign in _ARITHMETIC:
        result = _ARITHMETIC[sign](Fraction(left), Fraction(right))
    elif sign == "/" and right != 0:
        result = Fraction(left) / right if kind is Kind.FLOAT else _quotient(int(left), int(right))
    elif kind is Kind.FLOAT:
        return None
    elif sign == "%" and right != 0:
        result = int(left) - int(right) * _quotient(int(left), int(right))
    elif sign in _BITS:
        result = _BITS[sign](int(left), int(right))
    else:
        return None
    exact = Fraction(result)
    if max(exact.numerator.bit_length(), exact.denominator.bit_length()) > 2 * MOST_BITS:
        return None
    return Value(kind, exact if kind is Kind.FLOAT else exact.numerator, type_)


def _quotient(left: int, right: int) -> int:
    """Go divides towards zero."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) is (right < 0) else -quotient


def _shifted(sign: str, left: Value, right: Value) -> Value | None:
    number, by = Fraction(left.value) if not isinstance(left.value, str) else None, right.value
    if number is None or isinstance(by, str | bool) or number.denominator != 1 or not 0 <= by <= MOST_BITS:
        return None
    whole, places = number.numerator, int(by)
    kind = Kind.INT if left.kind is Kind.FLOAT else left.kind
    shifted = whole << places if sign == "<<" else whole >> places
    return None if shifted.bit_length() > MOST_BITS or left.kind is Kind.BOOL else Value(kind, shifted, left.type)
