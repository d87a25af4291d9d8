"""Floats in Go's notation."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigen.runtime import EncodeError, encode_float32, encode_float64, json_text
from apigen.runtime.json_numbers import to_float32, yaml_float_text, yaml_key_text
from apigen.runtime.json_values import decode_float64


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "-0"),
        (5.0, "5"),
        (0.1, "0.1"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e-10, "1.5e-10"),
        (1e16, "10000000000000000"),
        (1.2345678901234567e20, "123456789012345670000"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (5e-324, "5e-324"),
    ],
)
def test_64_bits(value: float, text: str) -> None:
    assert json_text(encode_float64(value)) == text
    assert json_text([value]) == f"[{text}]"


@pytest.mark.parametrize(
    ("value", "text"), [(0.1, "0.1"), (16777217.0, "16777216"), (1e21, "1e+21"), (1e-7, "1e-7"), (3.4e38, "3.4e+38")]
)
def test_32_bits(value: float, text: str) -> None:
    assert json_text(encode_float32(value)) == text


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_values_that_json_cannot_represent(value: float) -> None:
    for encode in (encode_float32, encode_float64):
        with pytest.raises(EncodeError):
            encode(value)
    with pytest.raises(EncodeError, match=r"^a\[1\]: JSON cannot hold"):
        json_text({"a": [0, value]})


def test_values_that_float32_cannot_represent() -> None:
    with pytest.raises(EncodeError):
        encode_float32(1e39)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_round_trips(value: float) -> None:
    assert decode_float64(encode_float64(value)) == value
    assert float(json.loads(json_text(encode_float64(value)))) == value
    assert float(yaml_float_text(value)) == value


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_every_float32_round_trips(value: float) -> None:
    assert to_float32(float(json.loads(json_text(encode_float32(value))))) == value


@pytest.mark.parametrize(
    ("value", "text"), [(1.5, "1.5"), (1e6, "1e+06"), (1234567.5, "1.2345675e+06"), (1e-5, "1e-05"), (0.0001, "0.0001")]
)
def test_yaml_has_its_own_notation(value: float, text: str) -> None:
    assert yaml_float_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(1.1, "1.1"), (1e8, "1e+08"), (3.5e38, ".inf"), (-math.inf, "-.inf"), (math.nan, ".nan")]
)
def test_keys_have_32_bits(value: float, text: str) -> None:
    assert yaml_key_text(value) == text
