"""Atoms of objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.language.json_values import JsonValue
from apigen.review.prover.schemas.atoms import EVERYTHING, Absent, Form, Members, Names, formula_of
from apigen.review.prover.schemas.schema import Schema, mapping_of

Words = Mapping[str, JsonValue]


def present(name: str) -> Members:
    """Return the condition that a property of this name exists."""
    return Members(Names(name), EVERYTHING, is_every=False)


def absent(name: str) -> Absent:
    """Return the condition that no property of this name exists."""
    return Absent(name)


def parts(words: Words, schema: Schema, holds: bool) -> Iterator[Form]:
    """Yield the forms of the keywords of properties, apart from sizes."""
    required = words.get("required")
    for name in required if isinstance(required, list) else ():
        if isinstance(name, str):
            yield [(present(name),) if holds else (absent(name),)]
    for names, value in _places(words):
        yield [(Members(names, formula_of(value, schema, holds), is_every=holds),)]
    if "propertyNames" in words:
        formula = formula_of(words["propertyNames"], schema, holds)
        yield [(Members(Names(), formula, is_every=holds, of_name=True),)]
    yield from _dependent(words, holds)


def _places(words: Words) -> Iterator[tuple[Names, JsonValue]]:
    """Yield the sets of property names with their schemas."""
    properties, patterns = mapping_of(words, "properties"), mapping_of(words, "patternProperties")
    for name, value in properties.items():
        yield Names(name), value
    for pattern, value in patterns.items():
        yield Names(pattern=pattern), value
    if (value := words.get("additionalProperties")) is not None:
        yield Names(but_names=frozenset(properties), but_patterns=frozenset(patterns)), value


def _dependent(words: Words, holds: bool) -> Iterator[Form]:
    """Yield the forms of lists of properties that another property requires."""
    for keyword in ("dependentRequired", "dependencies"):
        for name, value in mapping_of(words, keyword).items():
            needed = [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
            if not isinstance(value, list):
                continue
            if holds:
                yield [(absent(name),), (present(name), *map(present, needed))]
            else:
                yield [(present(name), absent(each)) for each in needed]
