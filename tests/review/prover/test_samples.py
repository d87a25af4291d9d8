"""Generated values satisfy the constraints of their slot, and differ."""

from __future__ import annotations

import re

import pytest

from apigen.diagnostics import Place
from apigen.ir.surface import (
    Constraint,
    Constraints,
    Enum,
    EnumValue,
    Field,
    Group,
    Keyword,
    ListOf,
    Named,
    Scalar,
    Scalars,
    Slot,
    Struct,
    Surface,
    TypeName,
    Version,
)
from apigen.review.prover.samples import samples

HERE = Place("made up")
NUMBER = Scalar(Scalars.INT32)
COLOR, PART, KNOT = (TypeName("g", "v1", name) for name in ("Color", "Part", "Knot"))
SIDE = Surface(
    "made up",
    "test",
    {
        "g": Group(
            "g",
            HERE,
            {
                "v1": Version(
                    "g",
                    "v1",
                    HERE,
                    {
                        "Color": Enum(COLOR, {value: EnumValue(value, HERE) for value in ("Red", "Blue")}, HERE),
                        "Part": Struct(
                            PART,
                            {
                                "name": Field("name", Slot(Scalar(Scalars.STRING), HERE), HERE, required=True),
                                "size": Field("size", Slot(NUMBER, HERE), HERE),
                            },
                            Slot(Named(PART), HERE),
                            HERE,
                        ),
                        "Knot": Struct(
                            KNOT,
                            {"knot": Field("knot", Slot(Named(KNOT), HERE), HERE, required=True)},
                            Slot(Named(KNOT), HERE),
                            HERE,
                        ),
                    },
                )
            },
        )
    },
)


def said(**words: int | str) -> Constraints:
    return {Keyword(word): Constraint(value, HERE) for word, value in words.items()}


@pytest.mark.parametrize("pattern", ["^[a-z]{3}$", r"^\d+$", "^x(yz)*$", "[A-Z]$", "^(?s:.)*$"])
def test_texts_match_their_pattern(pattern: str) -> None:
    found = samples(Slot(Scalar(Scalars.STRING), HERE, constraints=said(pattern=pattern, maxLength=12)), SIDE, 3)
    assert found is not None and len({str(each) for each in found}) == 3
    assert all(re.search(pattern, str(each)) and len(str(each)) <= 12 for each in found)


def test_numbers_are_within_their_bounds() -> None:
    slot = Slot(NUMBER, HERE, constraints=said(minimum=5, multipleOf=3))
    assert samples(slot, SIDE, 3) == [6, 9, 12]
    assert samples(Slot(NUMBER, HERE, constraints=said(minimum=5, maximum=6)), SIDE, 3) is None


def test_enums_structs_and_lists() -> None:
    assert samples(Slot(Named(COLOR), HERE), SIDE, 2) == ["Red", "Blue"]
    assert samples(Slot(Named(COLOR), HERE), SIDE, 3) is None
    assert samples(Slot(Named(PART), HERE), SIDE, 2) == [{"name": "a1"}, {"name": "a2"}]
    assert samples(Slot(ListOf(Slot(NUMBER, HERE)), HERE), SIDE, 2) == [[1], [2]]


def test_recursive_types_have_no_samples() -> None:
    assert samples(Slot(Named(KNOT), HERE), SIDE, 1) is None
