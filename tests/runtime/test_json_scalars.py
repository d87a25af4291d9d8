"""From decoded JSON values to the types of fields."""

from __future__ import annotations

import base64
import contextlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigen.runtime import DecodeError, FieldsV1, Quantity, RawExtension, json_values, parse_json
from apigen.runtime.json_values import (
    decode_bool,
    decode_bytes,
    decode_fields_v1,
    decode_float32,
    decode_float64,
    decode_int32,
    decode_int64,
    decode_int_or_string,
    decode_list,
    decode_object,
    decode_quantity,
    decode_raw_extension,
    decode_string,
    decode_time,
    decode_uint32,
    decode_uint64,
)

Decode = Callable[[object, str], Any]


@pytest.mark.parametrize(
    ("decode", "zero"),
    [
        (decode_string, ""),
        (decode_bool, False),
        (decode_int32, 0),
        (decode_int64, 0),
        (decode_uint32, 0),
        (decode_uint64, 0),
        (decode_float32, 0.0),
        (decode_float64, 0.0),
        (decode_bytes, None),
        (decode_time, None),
        (decode_quantity, Quantity("0")),
        (decode_int_or_string, 0),
        (decode_raw_extension, None),
        (decode_fields_v1, None),
        (decode_object, {}),
        (decode_list, []),
    ],
)
def test_null_is_the_zero_value(decode: Decode, zero: object) -> None:
    assert decode(None, "x") == zero


@pytest.mark.parametrize(
    ("decode", "low", "high"),
    [
        (decode_int32, -(2**31), 2**31 - 1),
        (decode_int64, -(2**63), 2**63 - 1),
        (decode_uint32, 0, 2**32 - 1),
        (decode_uint64, 0, 2**64 - 1),
        (decode_int_or_string, -(2**31), 2**31 - 1),
    ],
)
def test_integers_have_bounds(decode: Decode, low: int, high: int) -> None:
    assert [decode(low, "x"), decode(high, "x")] == [low, high]
    for value in (low - 1, high + 1, 1.0, True, parse_json("1e2"), 10**5000):
        with pytest.raises(DecodeError) as caught:
            decode(value, "spec.x")
        assert caught.value.path == "spec.x"


def test_error_messages() -> None:
    with pytest.raises(DecodeError) as caught:
        decode_string(5, "spec.rules[2].subjects[0].kind")
    assert str(caught.value) == "spec.rules[2].subjects[0].kind: expected a string, found a number (5)"
    with pytest.raises(DecodeError, match=r"expected an integer, found a number \(1e2\)"):
        decode_int32(parse_json("1e2"), "x")
    with pytest.raises(
        DecodeError, match=r"expected an integer from -2147483648 to 2147483647, found a number \(2147483648\)"
    ):
        decode_int32(2**31, "x")


@pytest.mark.parametrize("value", ["x", {}, [], True])
def test_invalid_numbers(value: object) -> None:
    for decode in (decode_int32, decode_int64, decode_uint32, decode_uint64, decode_float32, decode_float64):
        with pytest.raises(DecodeError):
            decode(value, "x")


def test_floats() -> None:
    assert decode_float64(1, "x") == 1.0
    assert type(decode_float64(parse_json("1.5"), "x")) is float
    assert decode_float32(0.1, "x") == 0.10000000149011612
    for value in (10**400, parse_json("1e400")):
        with pytest.raises(DecodeError):
            decode_float64(value, "x")
    with pytest.raises(DecodeError):
        decode_float32(1e39, "x")


@given(st.binary())
def test_bytes_are_base64_or_a_list_of_numbers(data: bytes) -> None:
    text = base64.b64encode(data).decode()
    assert decode_bytes(text, "x") == data
    assert decode_bytes("\r\n".join(text), "x") == data
    assert decode_bytes(list(data), "x") == data
    if text.endswith("="):
        with pytest.raises(DecodeError):
            decode_bytes(text[:-1], "x")
    with pytest.raises(DecodeError):
        decode_bytes(text + "=", "x")


@pytest.mark.parametrize(
    "value", ["A", "AQI", "AQ==AQ==", "-_8=", "A QID", "====", "é", 1, {}, [256], [-1], [1.0], ["1"], [True]]
)
def test_invalid_bytes(value: object) -> None:
    with pytest.raises(DecodeError):
        decode_bytes(value, "x")


def test_an_element_of_bytes_has_a_path() -> None:
    with pytest.raises(DecodeError, match=r"^data.k\[1\]: expected an integer from 0 to 255"):
        decode_bytes([0, 256], "data.k")
    assert decode_bytes([None, 1], "x") == b"\0\1"


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("0.5", "500m"),
        ("1e3", "1e3"),
        ("1.500", "1.500"),
        ("5", "5"),
        ("1000000000000000000001", "1000000000000000000001"),
        ('" 1 "', "1"),
    ],
)
def test_quantity_can_be_a_number(text: str, quantity: str) -> None:
    assert str(decode_quantity(parse_json(text), "x")) == quantity


def test_quantity_can_be_a_plain_float() -> None:
    assert str(decode_quantity(0.5, "x")) == "500m"
    values: list[object] = [True, {}, float("nan"), "x", 10**5000]
    for value in values:
        with pytest.raises(DecodeError):
            decode_quantity(value, "x")


@pytest.mark.parametrize(("decode", "cls"), [(decode_raw_extension, RawExtension), (decode_fields_v1, FieldsV1)])
def test_raw_values_keep_their_source_or_are_encoded(decode: Decode, cls: type[RawExtension | FieldsV1]) -> None:
    tree = parse_json('{"raw": { "b": 1.0 }}', frozenset({"raw"}))
    assert decode(tree["raw"], "x") == cls(b'{ "b": 1.0 }')  # type: ignore[index]
    assert decode({"b": 1.0, "<": [True]}, "x").raw == b'{"b":1,"\\u003c":[true]}'
    with pytest.raises(DecodeError, match=r"^x: JSON cannot hold"):
        decode({"b": float("nan")}, "x")


def test_values_with_source_become_plain() -> None:
    tree = parse_json('{"raw": ["a", 1, 1.5]}', frozenset({"raw"}))
    text, integer, number = tree["raw"]  # type: ignore[index]
    assert type(decode_string(text, "x")) is str
    assert type(decode_int64(integer, "x")) is int
    assert type(decode_float64(number, "x")) is float
    assert type(decode_int_or_string(text, "x")) is str


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=4)
    | st.dictionaries(st.text(), st.none())
)
def test_every_decoder_returns_or_raises_a_decode_error(value: object) -> None:
    of_parts = {"decode_items", "decode_values", "decode_scalars", "decode_scalar_map"}
    for name in vars(json_values):
        if name.startswith("decode_") and name not in of_parts:
            with contextlib.suppress(DecodeError):
                getattr(json_values, name)(value, "spec.x")


def test_map_vectors() -> None:
    text = '{"data":{"b":"1","a":null}}'
    data = decode_object(json.loads(text)["data"], "data")
    assert {key: decode_string(value, f"data.{key}") for key, value in data.items()} == {"b": "1", "a": ""}
