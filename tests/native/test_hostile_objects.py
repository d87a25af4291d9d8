"""Objects in which something is not as it must be: with the extension as without it, the same result or the same error."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given

from generated.runtime.kinds import KindVersion
from generated.things_example_com.v7alpha1.types import Frobber
from tests.native.both import SEEDS, compiled, frobber, outcome, pure
from tests.native.kinds import JSON, PROTOBUF, class_of, layouts, ways
from tests.native.sanitized.making import randomized, spoil
from tests.native.test_agreement import ANY_KIND, SEVERAL


@ANY_KIND
@SEVERAL
@given(seed=SEEDS)
def test_invalid_objects(entry: KindVersion, seed: int) -> None:
    obj = randomized(layouts(), class_of(entry), Random(seed))
    if entry.type_meta:
        obj.api_version, obj.kind = entry.api_version, entry.kind
    for number in range(3):
        spoil(layouts(), obj, Random(seed + number))
        for media in (JSON, PROTOBUF):
            assert outcome(compiled().encode, obj, media) == outcome(pure().encode, obj, media)
        assert same(outcome(compiled().copy, obj), outcome(pure().copy, obj))
        for to in ways(entry):
            assert same(outcome(compiled().convert, obj, to), outcome(pure().convert, obj, to))


def same(one: tuple[str, Any], other: tuple[str, Any]) -> bool:
    """Of objects in which something is missing only the types can be compared."""
    try:
        return one == other
    except AttributeError:
        return one[0] == other[0]


class Text(str):
    """A text with ideas of its own."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = str.__hash__


class Number(int):
    """A number whose text has another value."""

    def __str__(self) -> str:
        return "7"

    __repr__ = __str__


ODD = [
    Text("text"),
    Number(3),
    2**63,
    -(2**63) - 1,
    2**64,
    10**400,
    "\ud800",
    "a\udcffb",
    "\x00",
    float("nan"),
    b"\xff",
]


@pytest.mark.parametrize("value", ODD, ids=lambda value: f"{type(value).__name__} {value!a:.20}")
def test_values_of_subclasses_and_similar_types(value: object) -> None:
    for _, attribute, *_ in layouts()[Frobber]:
        if attribute not in ("api_version", "kind", "metadata"):
            for found in (value, [value], {"a": value}, {value: value}):
                obj = frobber()
                setattr(obj, attribute, found)
                for media in (JSON, PROTOBUF):
                    assert outcome(compiled().encode, obj, media) == outcome(pure().encode, obj, media), attribute
                for to in ("hub", "things.example.com/v6"):
                    assert outcome(compiled().convert, obj, to)[0] == outcome(pure().convert, obj, to)[0], attribute
