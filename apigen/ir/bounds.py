"""Judges a value that is known at build time, a default, by the constraints of its place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from decimal import Decimal

from apigen.diagnostics.quoting import quote
from apigen.ir.formats import FORMATS
from apigen.ir.patterns import matches, pattern_problem
from apigen.spec.model import Constraints, Located


def violations(constraints: Constraints, value: object) -> Iterator[str]:
    """Why a value is refused: a number, text, a list (as a tuple) or a map (as a dict of its keys)."""
    other = constraints.not_value
    if isinstance(other, Located) and type(other.value) is type(value) and other.value == value:
        yield f"{json.dumps(value, ensure_ascii=False)} is what it must not be"
    match value:
        case bool():
            return
        case int() | float():
            yield from _number(constraints, value)
        case str():
            yield from _text(constraints, value)
        case tuple():
            yield from _size(len(value), constraints.min_items, constraints.max_items, "elements")
            if constraints.unique_items and constraints.unique_items.value and _repeats(value):
                yield "an element stands in the list twice"
        case dict():
            yield from _size(len(value), constraints.min_properties, constraints.max_properties, "entries")


def _number(constraints: Constraints, value: float) -> Iterator[str]:
    least, greatest = constraints.minimum, constraints.maximum
    above, below = constraints.exclusive_minimum, constraints.exclusive_maximum
    if least is not None and value < least.value:
        yield f"{value} is less than the minimum, {least.value}"
    if greatest is not None and value > greatest.value:
        yield f"{value} is more than the maximum, {greatest.value}"
    if above is not None and value <= above.value:
        yield f"{value} is not more than {above.value}"
    if below is not None and value >= below.value:
        yield f"{value} is not less than {below.value}"
    step = constraints.multiple_of
    if step is not None and step.value > 0 and Decimal(str(value)) % Decimal(str(step.value)):
        yield f"{value} is no multiple of {step.value}"


def _text(constraints: Constraints, value: str) -> Iterator[str]:
    yield from _size(len(value), constraints.min_length, constraints.max_length, "characters")
    longest = constraints.max_bytes
    if longest is not None and len(value.encode(errors="surrogatepass")) > longest.value:
        yield f"{quote(value)} has more than {longest.value} bytes"
    pattern = constraints.pattern
    if pattern is not None and pattern_problem(pattern.value) is None and matches(pattern.value, value) is False:
        yield f"{quote(value)} does not match {quote(pattern.value)}"
    format_ = constraints.format
    if format_ is not None and format_.value in FORMATS and not FORMATS[format_.value](value):
        yield f"{quote(value)} is no {format_.value}"


def _size(size: int, least: Located[int] | None, greatest: Located[int] | None, unit: str) -> Iterator[str]:
    if least is not None and size < least.value:
        yield f"fewer {unit} than the least number, {least.value}: {size}"
    if greatest is not None and size > greatest.value:
        yield f"more {unit} than the greatest number, {greatest.value}: {size}"


def _repeats(items: Iterable[object]) -> bool:
    seen: set[str] = set()
    for item in items:
        key = json.dumps(item, sort_keys=True)
        if key in seen:
            return True
        seen.add(key)
    return False
