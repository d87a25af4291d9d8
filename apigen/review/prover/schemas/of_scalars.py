"""Atoms of types, values, numbers and strings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import chain, product
from math import isfinite, prod

from apigen.language.json_values import JsonValue, type_of
from apigen.review.prover.schemas.atoms import (
    ANYTHING,
    NOTHING,
    Absent,
    Atom,
    Bound,
    Clause,
    Form,
    HasFormat,
    Items,
    Matches,
    Members,
    Multiple,
    Names,
    OneOf,
    Size,
)
from apigen.review.prover.schemas.schema import Schema
from apigen.review.sources.schemas.words import canonical
from apigen.review.surface import CONDITIONS, WITHOUT_FRACTION

_SIZES = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}

_MOST_WAYS = 200
"""Maximum number of combinations in which a value may differ from all of some given lists or objects."""


def typed(words: Mapping[str, JsonValue], holds: bool, type_: str) -> Form:
    """Return the form of `type` for a type of JSON: any value or none, or integers."""
    written = words.get("type")
    names = [written] if isinstance(written, str) else written if isinstance(written, list) else None
    if names is None:
        return ANYTHING if holds else NOTHING
    if type_ == "number" and "integer" in names and "number" not in names:
        return [(Multiple(Fraction(1), holds),)]
    return ANYTHING if (type_ in names) is holds else NOTHING


def parts(words: Mapping[str, JsonValue], schema: Schema, holds: bool, type_: str) -> Iterator[Form]:
    """Yield the forms of `enum`, `const`, and the keywords of numbers, strings and sizes."""
    if "const" in words:
        yield _values([words["const"]], schema, holds, type_)
    if isinstance(listed := words.get("enum"), list):
        yield _values(listed, schema, holds, type_)
    if type_ == "number":
        yield from (_either(atom, opposite, holds) for atom, opposite in _of_numbers(words))
    if type_ == "string" and isinstance(pattern := words.get("pattern"), str):
        yield [(Matches(pattern, holds),)]
    if type_ in ("string", "number") and isinstance(name := words.get("format"), str):
        yield [(HasFormat(name, holds),)]
    conditions = words.get(CONDITIONS)
    for condition in conditions if isinstance(conditions, list) else ():
        if condition != WITHOUT_FRACTION or type_ == "number":
            yield [(HasFormat(str(condition), holds),)]
    if type_ in _SIZES:
        yield from _sizes(words, *_SIZES[type_], holds=holds)


def _either(atom: Atom, opposite: Atom, holds: bool) -> Form:
    return [(atom if holds else opposite,)]


def _of_numbers(words: Mapping[str, JsonValue]) -> Iterator[tuple[Atom, Atom]]:
    for keyword, is_upper in (("minimum", False), ("maximum", True)):
        strict = words.get("exclusiveMaximum" if is_upper else "exclusiveMinimum")
        bound = _number(words.get(keyword))
        if bound is not None:
            yield _bound(bound, is_upper, strict is True)
        bound = _number(strict)
        if bound is not None:
            yield _bound(bound, is_upper, True)
    of = _number(words.get("multipleOf"))
    if of:
        yield Multiple(abs(of), True), Multiple(abs(of), False)


def _bound(value: Fraction, is_upper: bool, is_strict: bool) -> tuple[Atom, Atom]:
    return Bound(value, is_upper, is_strict), Bound(value, not is_upper, not is_strict)


def _sizes(words: Mapping[str, JsonValue], least: str, most: str, *, holds: bool) -> Iterator[Form]:
    bound = _number(words.get(least))
    if bound is not None:
        count = -int(-bound // 1)
        if holds:
            yield [(Size(count),)]
        elif count > 0:
            yield [(Size(0, count - 1),)]
    bound = _number(words.get(most))
    if bound is not None:
        yield [(Size(0, int(bound // 1)) if holds else Size(int(bound // 1) + 1),)]


def _number(value: JsonValue) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        return None
    return Fraction(str(value)) if isinstance(value, float) else Fraction(value)


def _values(listed: list[JsonValue], schema: Schema, holds: bool, type_: str) -> Form:
    """Return the form of values that are, or are not, in a list."""
    fitting = [value for value in listed if type_of(value) == type_]
    if type_ == "null":
        return ANYTHING if bool(fitting) is holds else NOTHING
    if type_ in ("array", "object"):
        return [_same(value, schema) for value in fitting] if holds else _none_of(fitting, schema)
    if not fitting:
        return NOTHING if holds else ANYTHING
    return [(OneOf(frozenset(map(canonical, fitting)), holds),)]


def _same(value: JsonValue, schema: Schema) -> Clause:
    """Return the condition that a list or an object is equal to this one."""
    document = schema.document
    if isinstance(value, list):
        items = (
            Items(index, index + 1, frozenset({(document.schema({"const": item}), True)}), is_every=True)
            for index, item in enumerate(value)
        )
        return (Size(len(value), len(value)), *items)
    members = value if isinstance(value, dict) else {}
    atoms: list[Atom] = [Size(len(members), len(members))]
    for name, member in members.items():
        formula = frozenset({(document.schema({"const": member}), True)})
        atoms.append(Members(Names(name), formula, is_every=False))
    return tuple(atoms)


def _none_of(values: list[JsonValue], schema: Schema) -> Form:
    """Return the condition that a list or an object differs from each of some; any value if there are too many
    combinations.
    """
    ways = [_other(value, schema) for value in values]
    if prod(map(len, ways)) > _MOST_WAYS:
        return ANYTHING
    return [tuple(dict.fromkeys(chain.from_iterable(each))) for each in product(*ways)]


def _other(value: JsonValue, schema: Schema) -> Form:
    """Return the condition that a list or an object differs from this one: it is longer, a part is missing, or a part
    is different.
    """
    document = schema.document
    form: Form = [(Size(len(value) + 1),)] if isinstance(value, list | dict) else []
    if isinstance(value, list):
        form.extend([(Size(0, len(value) - 1),)] if value else [])
        for index, item in enumerate(value):
            formula = frozenset({(document.schema({"const": item}), False)})
            form.append((Items(index, index + 1, formula, is_every=False),))
    elif isinstance(value, dict):
        for name, member in value.items():
            formula = frozenset({(document.schema({"const": member}), False)})
            form.extend([(Absent(name),), (Members(Names(name), formula, is_every=False),)])
    return form
