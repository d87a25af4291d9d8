"""Kubernetes' well-known types as protobuf messages: the body of each, without tag and length.

Writers return a character for each byte; empty text for None, the encoding of a zero time or an unset raw value.
Decoders take a body and its path, and raise DecodeError; unknown fields are skipped, as in Kubernetes.
"""

from __future__ import annotations

from .errors import DecodeError, unfit
from .quantity import Quantity
from .raw import FieldsV1, RawExtension
from .times import ZERO_SECONDS, Duration, MicroTime, Time, micro_time_of, time_of
from .wire import (
    CHARACTERS,
    INT32,
    INT64,
    LENGTH,
    SIZES,
    VARINT,
    decode_text,
    encode_text,
    known_fields,
    read_varint,
    to_int32,
    to_int64,
)
from .wire_writing import integer

_MICROS = 1_000_000
_ZERO_MICROSECONDS = ZERO_SECONDS * _MICROS

_VARINT_1 = 1 << 3 | VARINT
_VARINT_2 = 2 << 3 | VARINT
_LENGTH_1 = 1 << 3 | LENGTH
_LENGTH_3 = 3 << 3 | LENGTH
_NUMBER_HEAD = b"\x08\x00\x10"
_NO_TEXT = b"\x1a\x00"
_TEXT_HEAD = b"\x08\x01\x10\x00\x1a"


def write_time(time: Time | None) -> str:
    """Return `seconds = 1, nanos = 2`; Kubernetes drops the nanoseconds and writes 0."""
    if time is None:
        return ""
    seconds = time.seconds if type(time) is Time else None
    if type(seconds) is not int or seconds == ZERO_SECONDS:
        seconds = time_of(time).seconds
    return f"\x08{INT64[seconds]}\x10\x00"


def decode_time(data: bytes, path: str = "") -> Time | None:
    """Return the time; None for an empty message and for Go's zero time. Nanoseconds are dropped."""
    seconds, _ = _timestamp(data, path)
    return None if not data or seconds == ZERO_SECONDS else Time(seconds)


def write_micro_time(time: MicroTime | None) -> str:
    """Return `seconds = 1, nanos = 2`."""
    if time is None:
        return ""
    seconds, micros = divmod(micro_time_of(time).microseconds, _MICROS)
    return f"\x08{INT64[seconds]}\x10{INT64[micros * 1_000]}"


def decode_micro_time(data: bytes, path: str = "") -> MicroTime | None:
    """Return the time; None for an empty message and for Go's zero time. Nanoseconds are cut to microseconds."""
    seconds, nanos = _timestamp(data, path)
    micros = abs(nanos) // 1_000 * (-1 if nanos < 0 else 1)
    microseconds = seconds * _MICROS + micros
    return (
        None
        if not data or microseconds == _ZERO_MICROSECONDS
        else MicroTime(microseconds)
    )


def _timestamp(data: bytes, path: str) -> tuple[int, int]:
    if data[:1] == b"\x08" and data[-2:] == b"\x10\x00":  # as write_time writes it
        varint, end = read_varint(data, 1)
        if end == len(data) - 2:
            return to_int64(varint), 0
    seconds = nanos = 0
    for tag, value in known_fields(data, path, frozenset({_VARINT_1, _VARINT_2})):
        assert isinstance(value, int)
        if tag == _VARINT_1:
            seconds = to_int64(value)
        else:
            nanos = to_int32(value)
    return seconds, nanos


def write_duration(duration: Duration) -> str:
    """Return `duration = 1`, in nanoseconds."""
    if type(duration) is not Duration:
        raise unfit("a Duration", duration)
    return f"\x08{INT64[integer(duration.nanoseconds)]}"


def decode_duration(data: bytes, path: str = "") -> Duration:
    """Return the duration."""
    nanoseconds = 0
    for _, value in known_fields(data, path, frozenset({_VARINT_1})):
        assert isinstance(value, int)
        nanoseconds = to_int64(value)
    return Duration(nanoseconds)


def write_quantity(quantity: Quantity) -> str:
    """Return `string = 1`, the canonical text."""
    if type(quantity) is not Quantity:
        raise unfit("a Quantity", quantity)
    text = quantity._text
    return f"\x0a{SIZES[len(text)]}{text}"


def decode_quantity(data: bytes, path: str = "") -> Quantity:
    """Return the quantity."""
    text = _raw(data, path)
    try:
        return Quantity() if text is None else Quantity(decode_text(text))
    except ValueError as error:
        raise DecodeError(path, str(error)) from None


def write_int_or_string(value: int | str) -> str:
    """Return `type = 1` (0: integer, 1: string)`, intVal = 2, strVal = 3`, all of them always."""
    if isinstance(value, str):
        text = encode_text(value).decode(CHARACTERS)
        return f"\x08\x01\x10\x00\x1a{SIZES[len(text)]}{text}"
    return f"\x08\x00\x10{INT32[integer(value)]}\x1a\x00"


def decode_int_or_string(data: bytes, path: str = "") -> int | str:
    """Return the integer or the string, as `type` says; Kubernetes cannot write any other type either."""
    size = len(data)
    if data[:5] == _TEXT_HEAD and 5 < size < 0x86 and data[5] == size - 6:
        return decode_text(data[6:])  # as write_int_or_string writes it, like the next
    if (
        size == 6
        and data[:3] == _NUMBER_HEAD
        and data[3] < 0x80
        and data[4:] == _NO_TEXT
    ):
        return data[3]
    kind, number, text = 0, 0, ""
    for tag, value in known_fields(
        data, path, frozenset({_VARINT_1, _VARINT_2, _LENGTH_3})
    ):
        if isinstance(value, bytes):
            text = decode_text(value)
        elif tag == _VARINT_1:
            kind = to_int64(value)
        else:
            number = to_int32(value)
    if kind not in (0, 1):
        raise DecodeError(path, f"neither an integer nor a string, but of type {kind}")
    return text if kind else number


def write_raw_extension(value: RawExtension | None) -> str:
    """Return `raw = 1`."""
    if value is not None and type(value) is not RawExtension:
        raise unfit("a RawExtension", value)
    return "" if value is None else _with_length(value.raw)


def decode_raw_extension(data: bytes, path: str = "") -> RawExtension | None:
    """Return the unchecked raw value, or `None`."""
    found = _raw(data, path)
    return None if found is None else RawExtension(found)


def write_fields_v1(value: FieldsV1 | None) -> str:
    """Return `Raw = 1`."""
    if value is not None and type(value) is not FieldsV1:
        raise unfit("a FieldsV1", value)
    return "" if value is None else _with_length(value.raw)


def decode_fields_v1(data: bytes, path: str = "") -> FieldsV1 | None:
    """Return the unchecked raw value, or `None`."""
    found = _raw(data, path)
    return None if found is None else FieldsV1(found)


def _with_length(data: bytes) -> str:
    if not isinstance(data, bytes):
        raise unfit("bytes", data)
    text = str(data, CHARACTERS)
    return f"\x0a{SIZES[len(text)]}{text}"


def _raw(data: bytes, path: str) -> bytes | None:
    """Return the bytes of field 1."""
    if 2 <= len(data) < 0x82 and data[0] == _LENGTH_1 and data[1] == len(data) - 2:
        return data[2:]
    found = None
    for _, value in known_fields(data, path, frozenset({_LENGTH_1})):
        assert isinstance(value, bytes)
        found = value
    return found
