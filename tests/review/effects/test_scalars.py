"""What a scalar takes, and what happens to values between two of them."""

from __future__ import annotations

import pytest

from apigen.ir.surface import Scalars
from apigen.language.json_values import JsonValue
from apigen.review.effects.scalar_transfer import passed_scalars, wire_form
from apigen.review.effects.scalars import PROBES, REJECTED, outcome
from apigen.review.results import Direction, Impact, Side


@pytest.mark.parametrize(
    ("scalar", "value", "expected"),
    [
        (Scalars.INT32, 2**31, REJECTED),
        (Scalars.INT64, 2**31, 2**31),
        (Scalars.INTEGER, 2**80, 2**80),
        (Scalars.INTEGER, True, REJECTED),
        (Scalars.NUMBER, 1.5, 1.5),
        (Scalars.TIME, "2001-02-03T04:05:06.000000Z", "2001-02-03T04:05:06Z"),
        (Scalars.MICRO_TIME, "2001-02-03T04:05:06Z", REJECTED),
        (Scalars.BYTES, "a", REJECTED),
        (Scalars.BYTES, "YWJj", "YWJj"),
        (Scalars.DURATION, "1h0m0s", "1h0m0s"),
        (Scalars.ANYTHING, {"a": [1]}, {"a": [1]}),
        (Scalars.NULL, 1, REJECTED),
    ],
)
def test_outcome(scalar: Scalars, value: JsonValue, expected: JsonValue) -> None:
    assert outcome(scalar, value) == expected


@pytest.mark.parametrize("scalar", Scalars)
def test_each_scalar_passes_to_itself(scalar: Scalars) -> None:
    assert not passed_scalars(scalar, scalar, has_wire=True).effects
    assert scalar is Scalars.NULL or any(outcome(scalar, probe) is not REJECTED for probe in PROBES)


def test_wider_integers_break_forward_only() -> None:
    effects = passed_scalars(Scalars.INT32, Scalars.INT64, has_wire=True).effects
    assert {direction: effect.impact for direction, effect in effects.items()} == {
        Direction.OLD_CLIENT: Impact.DEPENDS,
        Direction.NEW_CLIENT: Impact.BREAKS,
        Direction.ROLLBACK: Impact.BREAKS,
    }


def test_examples_are_accepted_by_one_side_only() -> None:
    found = passed_scalars(Scalars.INT64, Scalars.INT32, has_wire=False)
    assert found.examples and all(example.written_by is Side.OLD for example in found.examples)


def test_changed_wire_format_breaks_all_directions() -> None:
    effects = passed_scalars(Scalars.INT32, Scalars.SINT32, has_wire=True).effects
    assert set(effects) == set(Direction)
    assert not passed_scalars(Scalars.INT32, Scalars.SINT32, has_wire=False).effects
    assert wire_form(Scalars.INT32) == wire_form(Scalars.BOOL) != wire_form(Scalars.SINT32)


def test_protobuf_string_and_bytes_are_compatible_for_utf8() -> None:
    effects = passed_scalars(Scalars.STRING, Scalars.BYTES, has_wire=True).effects
    assert "base64" not in effects[Direction.STORED].text and "is rejected" in effects[Direction.STORED].text
    assert "0xff" in effects[Direction.ROLLBACK].text and effects[Direction.ROLLBACK].impact is Impact.BREAKS
    assert not any("neither reads the other" in effect.text for effect in effects.values())
    back = passed_scalars(Scalars.BYTES, Scalars.STRING, has_wire=True).effects
    assert "0xff" in back[Direction.STORED].text
    assert set(effects) == set(back) == set(Direction)
