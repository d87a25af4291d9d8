"""The JSON values that a scalar or an enum accepts, and how the decoders of generated code treat them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from apigen.ir.surface import Enum, Scalar, Scalars
from apigen.language.json_values import JsonValue
from apigen.runtime import json_values as decoders
from apigen.runtime.errors import DecodeError

Read = Callable[[object, str], object]

PROBES: tuple[JsonValue, ...] = (
    1,
    0,
    -1,
    2**31 - 1,
    2**31,
    -(2**31) - 1,
    2**32,
    2**53 + 1,
    2**63,
    2**64,
    16777217,
    1.5,
    0.1,
    1e39,
    "a",
    "",
    "1",
    "5s",
    "1h0m0s",
    "1Gi",
    "0.5",
    "YWJj",
    "2001-02-03T04:05:06Z",
    "2001-02-03T04:05:06.000000Z",
    True,
    ["a"],
    {"a": "b"},
)
"""Values that distinguish scalars: the ends of all ranges, numbers that a double cannot represent, and each string format."""


class Rejected:
    """The value is rejected."""


REJECTED = Rejected()


def outcome(scalar: Scalars, value: JsonValue) -> JsonValue | Rejected:
    """Return the result of decoding a JSON value as this scalar and encoding it; `REJECTED` if it is rejected."""
    try:
        read = _READERS[scalar](value, "")
    except DecodeError:
        return REJECTED
    return _WRITERS.get(scalar, _as_it_is)(read)


def same(one: JsonValue | Rejected, other: JsonValue | Rejected) -> bool:
    """Return whether two JSON values are the same; a boolean is not a number, while 1 and 1.0 are the same."""
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _as_it_is(value: object) -> JsonValue:
    assert value is None or isinstance(value, bool | int | float | str | list | dict)
    return value


def _text(value: object) -> JsonValue:
    return None if value is None else str(value)


def _base64(value: object) -> JsonValue:
    import base64  # few values are bytes

    return base64.b64encode(value).decode() if isinstance(value, bytes) else None


def _any(value: object, path: str) -> object:
    return value


def _object(value: object, path: str) -> object:
    if value is not None and not isinstance(value, dict):
        raise DecodeError(path, "not an object")
    return value


def _number(value: object, path: str) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DecodeError(path, "not a number")
    return value


def _integer(value: object, path: str) -> object:
    if isinstance(value, bool) or not isinstance(value, int):
        raise DecodeError(path, "not an integer")
    return value


def _integer_or_text(value: object, path: str) -> object:
    return value if isinstance(value, str) else _integer(value, path)


def _null(value: object, path: str) -> object:
    if value is not None:
        raise DecodeError(path, "not null")
    return value


_READERS: Mapping[Scalars, Read] = {
    Scalars.STRING: decoders.decode_string,
    Scalars.BOOL: decoders.decode_bool,
    Scalars.INT32: decoders.decode_int32,
    Scalars.INT64: decoders.decode_int64,
    Scalars.UINT32: decoders.decode_uint32,
    Scalars.UINT64: decoders.decode_uint64,
    Scalars.INTEGER: _integer,
    Scalars.NUMBER: _number,
    Scalars.FLOAT32: decoders.decode_float32,
    Scalars.FLOAT64: decoders.decode_float64,
    Scalars.BYTES: decoders.decode_bytes,
    Scalars.NULL: _null,
    Scalars.TIME: decoders.decode_time,
    Scalars.MICRO_TIME: decoders.decode_micro_time,
    Scalars.DURATION: decoders.decode_duration,
    Scalars.QUANTITY: decoders.decode_quantity,
    Scalars.INT_OR_STRING: decoders.decode_int_or_string,
    Scalars.WIDE_INT_OR_STRING: _integer_or_text,
    Scalars.RAW_EXTENSION: _object,
    Scalars.FIELDS_V1: _any,
    Scalars.ANYTHING: _any,
    Scalars.SINT32: decoders.decode_int32,
    Scalars.SINT64: decoders.decode_int64,
    Scalars.FIXED32: decoders.decode_uint32,
    Scalars.FIXED64: decoders.decode_uint64,
    Scalars.SFIXED32: decoders.decode_int32,
    Scalars.SFIXED64: decoders.decode_int64,
}

_WRITERS: Mapping[Scalars, Callable[[object], JsonValue]] = {
    Scalars.BYTES: _base64,
    Scalars.TIME: _text,
    Scalars.MICRO_TIME: _text,
    Scalars.DURATION: _text,
    Scalars.QUANTITY: _text,
}


def in_json(value: str, enum: Enum | None) -> JsonValue:
    """Return the JSON of a value; if the enum is not one of strings, the text is parsed as JSON."""
    if enum is None or enum.base == Scalar(Scalars.STRING):
        return value
    try:
        read: JsonValue = json.loads(value)
    except ValueError:
        return value
    return read
