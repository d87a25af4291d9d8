"""Values to try at a place for which no rule gives an example: absent, zero, at the bounds of either side, of the
other type.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice

from apigen.dataclass import replace
from apigen.language.json_values import JsonValue
from apigen.review.counterexamples.objects import Filling, Fullness, Sampling, distinct
from apigen.review.effects.scalars import in_json
from apigen.review.results import ABSENT, Missing
from apigen.review.surface import (
    Constraint,
    Enum,
    Keyword,
    ListOf,
    MapOf,
    Named,
    Scalar,
    Scalars,
    Slot,
    Struct,
    nested_in,
    without_aliases,
)

_LONG = 3_000
_MOST_MEMBERS = 6
_WORDS = frozenset(Keyword)
_NUMBERS = (0, 1, -1, 5, 2**31, 2**53 + 1)
_TEXTS = ("", "a", "A b", "a-1", "10", "ä", "YQ==", "a" * 64, "2020-01-01T00:00:00Z", "1s", "x.example.com")


def guesses(slots: tuple[tuple[Slot, Sampling], ...]) -> Iterator[JsonValue | Missing]:
    """Yield distinct values for a place, given its slot on every side that has it; those that most often show
    differences first.
    """
    return distinct(_all(slots))


def _all(slots: tuple[tuple[Slot, Sampling], ...]) -> Iterator[JsonValue | Missing]:
    yield ABSENT
    for slot, sampling in slots:
        yield Filling(sampling).value(slot)
    for slot, sampling in slots:
        yield from _of_slot(slot, sampling)
    yield None


def _of_slot(slot: Slot, sampling: Sampling) -> Iterator[JsonValue | Missing]:
    unfolded = without_aliases(sampling.surface, slot)
    yield from sampling.values(slot, 3) or sampling.values(slot, 2)
    yield from _nested(unfolded)
    match unfolded.type:
        case Scalar(name):
            yield from _bounds(unfolded)
            yield from _of_scalar(name)
        case ListOf(item):
            yield from _lists(unfolded, item, sampling)
        case MapOf(_, value):
            yield {}
            yield from _maps(unfolded, value, sampling)
        case Named(name):
            type_ = sampling.surface.type(name)
            if isinstance(type_, Enum):
                yield from (in_json(each, type_) for each in type_.values)
                yield from ("", "Unheard")
            elif isinstance(type_, Struct):
                yield {}
                yield Filling(sampling, Fullness.ALL).struct(type_)
                for field in type_.fields.values():
                    inner = Filling(sampling).value(field.slot)
                    if not isinstance(inner, Missing):
                        yield {field.name: inner}
    if unfolded.default is not None and not unfolded.default.is_computed:
        yield json.loads(unfolded.default.text)


def _of_scalar(name: Scalars) -> Iterator[JsonValue]:
    match name:
        case Scalars.STRING | Scalars.BYTES:
            yield from _TEXTS
        case Scalars.BOOL:
            yield from (False, True)
        case Scalars.FLOAT32 | Scalars.FLOAT64 | Scalars.NUMBER:
            yield from (*_NUMBERS, 0.1, 1e30)
        case Scalars.INT_OR_STRING:
            yield from (0, 5, "", "5", "50%", "a")
        case Scalars.QUANTITY:
            yield from ("0", "1500m", "1Gi")
        case Scalars.DURATION:
            yield from ("0s", "90s", "1h0m0s")
        case Scalars.TIME | Scalars.MICRO_TIME:
            yield from ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00.123456Z")
        case Scalars.RAW_EXTENSION | Scalars.FIELDS_V1 | Scalars.ANYTHING:
            yield {}
            yield {"a": 1}
        case _:
            yield from _NUMBERS


def _bounds(slot: Slot) -> Iterator[JsonValue]:
    """Yield values next to the bounds of constraints."""
    for keyword, constraint in slot.constraints.items():
        value = constraint.value
        if not isinstance(value, int | float) or isinstance(value, bool):
            continue
        if keyword in (Keyword.MIN_LENGTH, Keyword.MAX_LENGTH, Keyword.MIN_BYTES, Keyword.MAX_BYTES):
            yield from ("a" * int(size) for size in (value, value + 1, value - 1) if 0 <= size <= _LONG)
        else:
            yield from (value, value + 1, value - 1)
            yield from (value * 2, value * 3)


def _nested(slot: Slot) -> Iterator[JsonValue]:
    """Yield values close to the bounds of conditional constraints (`ifEnabled`, `ifDisabled`) and of `subfields`."""
    for keyword in (Keyword.IF_ENABLED, Keyword.IF_DISABLED, Keyword.SUBFIELDS):
        for name, words in nested_in(slot.constraints, keyword).items():
            block = words if isinstance(words, dict) else {}
            numbers = {
                each: value for each, value in block.items() if each in _WORDS and isinstance(value, int | float)
            }
            constraints = {Keyword(each): Constraint(value, slot.place) for each, value in numbers.items()}
            values = _bounds(replace(slot, constraints=constraints))
            yield from ({name: value} for value in values) if keyword is Keyword.SUBFIELDS else values


def _lists(found: Slot, item: Slot, sampling: Sampling) -> Iterator[JsonValue | Missing]:
    yield []
    one = Filling(sampling).value(item)
    if isinstance(one, Missing):
        return
    yield [one, one]
    yield from _alike(item, sampling)
    for size in _sizes(found):
        items = sampling.values(item, size)
        yield list(items) if items else [one] * size
    for other in _of_slot(item, sampling) if not isinstance(item.type, Named) else ():
        if not isinstance(other, Missing):
            yield [other]


def _alike(item: Slot, sampling: Sampling) -> Iterator[JsonValue]:
    """Yield lists of two structs that differ in one field, which a list map or uniqueness by keys may treat as
    duplicates.
    """
    struct = sampling.surface.type(item.type.name) if isinstance(item.type, Named) else None
    if not isinstance(struct, Struct):
        return
    one = Filling(sampling, Fullness.ALL).struct(struct)
    for field in islice(struct.fields.values(), _MOST_MEMBERS):
        other = next((value for value in sampling.values(field.slot, 2) if value != one.get(field.name)), None)
        if other is not None:
            yield [one, {**one, field.name: other}]


def _maps(found: Slot, inner: Slot, sampling: Sampling) -> Iterator[JsonValue]:
    value = Filling(sampling).value(inner)
    for size in _sizes(found):
        map_value: JsonValue = {f"k{index}": "a" if isinstance(value, Missing) else value for index in range(size)}
        yield map_value


def _sizes(found: Slot) -> Iterator[int]:
    keywords = (Keyword.MIN_ITEMS, Keyword.MAX_ITEMS, Keyword.MIN_PROPERTIES, Keyword.MAX_PROPERTIES)
    for constraint in (found.constraints[each] for each in keywords if each in found.constraints):
        if isinstance(constraint.value, int):
            yield from (
                size for size in (constraint.value, constraint.value + 1, constraint.value - 1) if 0 <= size <= 300
            )
