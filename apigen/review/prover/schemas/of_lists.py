"""Atoms of lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.language.json_values import JsonValue
from apigen.review.prover.schemas.atoms import ANYTHING, NOTHING, Clause, Form, Items, Size, Unique, formula_of
from apigen.review.prover.schemas.schema import Schema

Words = Mapping[str, JsonValue]


def parts(words: Words, schema: Schema, holds: bool) -> Iterator[Form]:
    """Yield the forms of the keywords of items, apart from sizes."""
    if words.get("uniqueItems") is True:
        yield [(Unique(holds),)]
    for start, stop, value in _places(words):
        yield [(Items(start, stop, formula_of(value, schema, holds), is_every=holds),)]
    if "contains" in words:
        yield _contains(words, schema, holds)


def _places(words: Words) -> Iterator[tuple[int, int | None, JsonValue]]:
    """Yield the ranges of items with their schemas; `items` as a list is `prefixItems` of drafts before 2020."""
    items, first = words.get("items"), words.get("prefixItems")
    if isinstance(items, list):
        first, items = items, words.get("additionalItems")
    listed = first if isinstance(first, list) else []
    for index, value in enumerate(listed):
        yield index, index + 1, value
    if items is not None:
        yield len(listed), None, items


def _contains(words: Words, schema: Schema, holds: bool) -> Form:
    value, least, most = words["contains"], words.get("minContains", 1), words.get("maxContains")
    some = Items(0, None, formula_of(value, schema, True), is_every=False)
    none = Items(0, None, formula_of(value, schema, False), is_every=True)
    if not isinstance(least, int) or isinstance(least, bool):
        return ANYTHING
    if holds:
        clause: Clause = (some, Size(least)) if least else ()
        return [clause]
    fewer: Form = NOTHING if not least else [(none,)] if least == 1 else ANYTHING
    if most is None:
        return fewer
    more: Form = [(some, Size(int(most) + 1))] if isinstance(most, int) else ANYTHING
    return [*fewer, *more]
