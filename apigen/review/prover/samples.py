"""Values that a slot accepts, generated from its constraints."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import islice

from apigen.ir.surface import Enum, ListOf, MapOf, Scalar, Scalars, Slot, Struct, Surface, Type, TypeDef, unfold
from apigen.language.json_values import JsonValue
from apigen.review.prover.domains import constraints_of, numbers_of, texts_of
from apigen.review.prover.numbers import Numbers
from apigen.review.prover.regex import Budget, Undecidable, affordable, cached
from apigen.review.prover.texts import Texts, accepted, texts_outside

_DEEPEST = 4
_MOST = 300
_TRIED = 3_000
_MOST_SEARCHED = 40
_WORK = 600_000
"""Number of states of machines to visit, one character of a string each, before the search for strings stops."""
_WELL_KNOWN: dict[Scalars, str] = {
    Scalars.TIME: "2020-01-01T00:{:02}:{:02}Z",
    Scalars.MICRO_TIME: "2020-01-01T00:{:02}:{:02}.000000Z",
}
_PROBES = (1, 10, _MOST - 1)
"""Numbers of each length; a form is used if a set has the string with one of them."""
_TEXTS = ("a{}", "A{}", "{}", "a-{}", "example.com/a{}", "a{}.example.com", "0000000{:05}")


def samples(slot: Slot, surface: Surface, number: int, depth: int = 0) -> list[JsonValue] | None:
    """Return a number of distinct values that a slot accepts, or `None` if they cannot be generated."""
    if depth > _DEEPEST or number > _MOST:
        return None
    without_aliases = unfold(slot, surface)
    constraints = constraints_of(without_aliases)
    texts, numbers = texts_of(without_aliases.type, constraints), numbers_of(without_aliases.type, constraints)
    found = list(islice(_values(without_aliases.type, texts, numbers, number), number))
    if not found:
        found = _composed(without_aliases.type, surface, number, depth)
    return found if len(found) == number else None


def _values(type_: Type | TypeDef | None, texts: Texts, numbers: Numbers, number: int) -> Iterator[JsonValue]:
    match type_:
        case Enum():
            yield from (value for value in type_.values if accepted(texts, value))
        case Scalar(Scalars.STRING):
            yield from _found(texts).first(number)
        case Scalar(Scalars.BOOL):
            yield from (True, False)
        case Scalar(Scalars.BYTES):
            import base64  # few places hold bytes

            yield from (base64.b64encode(str(each).encode()).decode() for each in range(10_000, 10_000 + _MOST))
        case Scalar(name) if name in _WELL_KNOWN:
            yield from (_WELL_KNOWN[name].format(*divmod(each, 60)) for each in range(_MOST))
        case Scalar(Scalars.DURATION):
            yield from (f"{each}s" for each in range(1, _MOST))
        case Scalar(Scalars.QUANTITY):
            yield from (str(each) for each in range(1, _MOST))
        case Scalar(Scalars.NULL | Scalars.RAW_EXTENSION | Scalars.FIELDS_V1 | Scalars.ANYTHING):
            return
        case Scalar():
            yield from _numbers(numbers)


class _Found:
    """The strings of a set that were found; others are searched when they are needed, because that is slow."""

    def __init__(self, of: Texts) -> None:
        self._found: list[str] = []
        self._others = _texts(of)

    def first(self, number: int) -> list[str]:
        """Return up to `number` strings."""
        self._found.extend(islice(self._others, max(0, number - len(self._found))))
        return self._found[:number]


@cached(4096)
def _found(of: Texts) -> _Found:
    """Return the strings of a set, which many fields with the same pattern share."""
    return _Found(of)


def _texts(of: Texts) -> Iterator[str]:
    seen: set[str] = set()
    for text in _candidates(of):
        if text not in seen and accepted(of, text):
            seen.add(text)
            yield text


def _candidates(of: Texts) -> Iterator[str]:
    """Yield the allowed strings of a set; without any, as many guesses as the work budget allows, then strings found one
    by one, each time excluding the known ones.
    """
    if of.allowed is not None:
        yield from sorted(of.allowed)
        return
    known: set[str] = set()
    with suppress(Undecidable):
        states, work = sum(each.size for each in of.machines()), affordable(_WORK)
        forms = (form for form in _TEXTS if any(accepted(of, form.format(each)) for each in _PROBES))
        for text in islice((form.format(each) for form in forms for each in range(1, _MOST)), _TRIED):
            work -= states * (len(text) + 1)
            if work < 0:
                break
            yield text
    with suppress(Undecidable):
        budget, is_complete = Budget(_WORK), False
        while len(known) < _MOST_SEARCHED and not is_complete:
            before = frozenset(known)
            for text in islice(texts_outside(of, Texts(allowed=before), budget), _MOST_SEARCHED - len(known)):
                known.add(text)
                yield text
            is_complete = len(known) == len(before)


def _numbers(of: Numbers) -> Iterator[int]:
    starts = [bound.at for bound in (of.least, of.most) if bound is not None]
    near = Fraction(1) if of.holds(Fraction(1)) else min(starts, key=abs, default=Fraction(0))
    seen: set[int] = set()
    for distance in range(_TRIED):
        for each in (int(near) + distance, int(near) - distance):
            if each not in seen and of.holds(Fraction(each)):
                seen.add(each)
                yield each


def _composed(type_: Type | TypeDef | None, surface: Surface, number: int, depth: int) -> list[JsonValue]:
    match type_:
        case Struct():
            return _structs(type_, surface, number, depth)
        case ListOf(item):
            inner = samples(item, surface, number, depth + 1)
            return [[each] for each in inner or ()]
        case MapOf(key, value):
            keys, values = samples(key, surface, number, depth + 1), samples(value, surface, 1, depth + 1)
            return [{str(each): values[0]} for each in keys or ()] if values else []
    return []


def _structs(struct: Struct, surface: Surface, number: int, depth: int) -> list[JsonValue]:
    """Return structs that differ in each field that is set; only required fields are set, or the first one if none
    is required.
    """
    fields = [field for field in struct.fields.values() if field.required]
    if number > 1 and not fields:
        fields = list(struct.fields.values())[:1]
    columns: dict[str, list[JsonValue]] = {}
    for field in fields:
        distinct = samples(field.slot, surface, number, depth + 1)
        if distinct is None:
            one = samples(field.slot, surface, 1, depth + 1)
            if one is None:
                return []
            distinct = one * number
        columns[field.name] = distinct
    structs: list[JsonValue] = [{name: column[i] for name, column in columns.items()} for i in range(number)]
    return structs
