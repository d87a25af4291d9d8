"""Constraints as sets of values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeVar

from apigen.dataclass import replace
from apigen.ir.surface import ConstraintValue, Enum, Keyword, Scalar, Scalars, Type, TypeDef, Unfolded
from apigen.language.json_values import JsonValue
from apigen.review.prover.numbers import Bound, Numbers, exact
from apigen.review.prover.texts import Texts

T = TypeVar("T")

KeywordValue = tuple[Keyword, ConstraintValue]

NUMBER_WORDS = frozenset(
    {
        Keyword.MINIMUM,
        Keyword.MAXIMUM,
        Keyword.EXCLUSIVE_MINIMUM,
        Keyword.EXCLUSIVE_MAXIMUM,
        Keyword.MULTIPLE_OF,
    }
)
TEXT_WORDS = frozenset(
    {
        Keyword.MIN_LENGTH,
        Keyword.MAX_LENGTH,
        Keyword.MIN_BYTES,
        Keyword.MAX_BYTES,
        Keyword.PATTERN,
        Keyword.FORMAT,
    }
)
SIZE_WORDS: Mapping[Keyword, str] = {
    Keyword.MIN_ITEMS: "items",
    Keyword.MAX_ITEMS: "items",
    Keyword.MIN_PROPERTIES: "properties",
    Keyword.MAX_PROPERTIES: "properties",
}
LOWER = frozenset({Keyword.MINIMUM, Keyword.MIN_ITEMS, Keyword.MIN_PROPERTIES})
UPPER = frozenset({Keyword.MAXIMUM, Keyword.MAX_ITEMS, Keyword.MAX_PROPERTIES})

_SIGNED, _UNSIGNED = (Scalars.SINT32, Scalars.SFIXED32, Scalars.INT32), (Scalars.UINT32, Scalars.FIXED32)
_SIGNED_64, _UNSIGNED_64 = (Scalars.SINT64, Scalars.SFIXED64, Scalars.INT64), (Scalars.UINT64, Scalars.FIXED64)
_RANGES: Mapping[Scalars, tuple[int, int]] = {
    **dict.fromkeys(_SIGNED, (-(2**31), 2**31 - 1)),
    **dict.fromkeys(_UNSIGNED, (0, 2**32 - 1)),
    **dict.fromkeys(_SIGNED_64, (-(2**63), 2**63 - 1)),
    **dict.fromkeys(_UNSIGNED_64, (0, 2**64 - 1)),
}


def literal_of(value: ConstraintValue) -> JsonValue:
    """Return the value of canonical JSON; text that is not valid JSON is returned unchanged."""
    if not isinstance(value, str):
        return list(value) if isinstance(value, tuple) else value
    try:
        found: JsonValue = json.loads(value)
    except ValueError:
        return value
    return found


def constraints_of(without_aliases: Unfolded) -> tuple[KeywordValue, ...]:
    """Return all constraints of a value, as pairs of keyword and value."""
    return tuple(
        (word, each.value) for constraints in without_aliases.constraints for word, each in constraints.items()
    )


def numbers_of(type_: Type | TypeDef | None, constraints: Iterable[KeywordValue]) -> Numbers:
    """Return the numbers that a type and constraints allow."""
    found = _numbers_of_type(type_)
    for word, value in constraints:
        found = found if word in SIZE_WORDS else _narrowed(found, word, value)
    return found


def sizes_of(constraints: Iterable[KeywordValue], unit: str) -> Numbers:
    """Return the numbers of items, or of properties, that constraints allow."""
    found = Numbers(least=Bound(Fraction(0)), is_whole=True)
    for word, value in constraints:
        if SIZE_WORDS.get(word) == unit:
            found = _narrowed(found, word, value)
    return found


def _numbers_of_type(type_: Type | TypeDef | None) -> Numbers:
    if not isinstance(type_, Scalar):
        return Numbers()
    limits = _RANGES.get(type_.name)
    if limits is not None:
        low, high = limits
        return Numbers(Bound(Fraction(low)), Bound(Fraction(high)), is_whole=True)
    return Numbers(is_whole=type_.name is Scalars.INTEGER)


def _narrowed(of: Numbers, word: Keyword, value: ConstraintValue) -> Numbers:
    if word in (Keyword.CONST, Keyword.NOT_VALUE):
        other = literal_of(value)
        if isinstance(other, bool) or not isinstance(other, int | float):
            return of
        if word is Keyword.CONST:
            return replace(of, allowed=_intersected(of.allowed, exact(other)))
        return replace(of, excluded=of.excluded | {exact(other)})
    if isinstance(value, bool) or not isinstance(value, int | float):
        return of
    number = exact(value)
    if word is Keyword.MULTIPLE_OF:
        return replace(of, step=number) if number > 0 else of
    is_open = word in (Keyword.EXCLUSIVE_MINIMUM, Keyword.EXCLUSIVE_MAXIMUM)
    if word in LOWER or word is Keyword.EXCLUSIVE_MINIMUM:
        return replace(of, least=_tighter(of.least, Bound(number, is_open), 1))
    if word in UPPER or word is Keyword.EXCLUSIVE_MAXIMUM:
        return replace(of, most=_tighter(of.most, Bound(number, is_open), -1))
    return of


def _tighter(one: Bound | None, other: Bound, sign: int) -> Bound:
    if one is None:
        return other
    return max(one, other, key=lambda bound: (sign * bound.at, bound.is_open))


def texts_of(type_: Type | TypeDef | None, constraints: Iterable[KeywordValue]) -> Texts:
    """Return the strings that a type and constraints allow."""
    found = Texts(allowed=frozenset(type_.values)) if isinstance(type_, Enum) and not type_.open else Texts()
    for word, value in constraints:
        found = _narrowed_text(found, word, value)
    return found


def _narrowed_text(of: Texts, word: Keyword, value: ConstraintValue) -> Texts:
    match word, value:
        case Keyword.PATTERN, str():
            return replace(of, patterns=(*of.patterns, value))
        case Keyword.FORMAT, str():
            return replace(of, formats=(*of.formats, value))
        case Keyword.MIN_LENGTH, int():
            return replace(of, least=max(of.least, value))
        case Keyword.MAX_LENGTH, int():
            return replace(of, most=value if of.most is None else min(of.most, value))
        case Keyword.MIN_BYTES, int():
            return replace(of, least_bytes=max(of.least_bytes, value))
        case Keyword.MAX_BYTES, int():
            return replace(of, most_bytes=value if of.most_bytes is None else min(of.most_bytes, value))
        case ((Keyword.CONST | Keyword.NOT_VALUE), _) if isinstance(other := literal_of(value), str):
            if word is Keyword.NOT_VALUE:
                return replace(of, excluded=of.excluded | {other})
            return replace(of, allowed=_intersected(of.allowed, other))
    return of


def _intersected(allowed: frozenset[T] | None, other: T) -> frozenset[T]:
    return frozenset((other,)) if allowed is None or other in allowed else frozenset()
