"""Protobuf's primitives, and the envelope around messages."""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apigen.runtime import DecodeError, EncodeError, Envelope, json_text, unwrap, wire, wrap
from apigen.runtime import wire_wellknown as well_known
from apigen.runtime.raw import RawExtension
from apigen.runtime.times import ZERO_SECONDS, Duration, MicroTime, Time
from tests.runtime.kubernetes_vectors import codec_files, fixture_sets, objects

INT64 = st.integers(-(2**63), 2**63 - 1)


def encoded(characters: str) -> bytes:
    return characters.encode(wire.CHARACTERS)


@given(st.integers(0, 2**64 - 1))
@example(127)
@example(128)
@example(16383)
@example(16384)
def test_varints_round_trip(number: int) -> None:
    varint = wire.encode_varint(number)
    assert wire.read_varint(b"x" + varint + b"x", 1) == (number, 1 + len(varint))
    assert len(varint) == max(1, -(-number.bit_length() // 7))


@given(INT64)
def test_signed_numbers_round_trip(number: int) -> None:
    assert wire.to_int64(wire.read_varint(encoded(wire.INT64[number]), 0)[0]) == number
    assert wire.to_int32(wire.read_varint(wire.encode_varint(number), 0)[0]) == (number + 2**31) % 2**32 - 2**31
    assert wire.to_uint32(wire.read_varint(wire.encode_varint(number), 0)[0]) == number % 2**32


def test_negative_numbers_take_ten_bytes() -> None:
    assert wire.INT32[-1] == "\xff" * 9 + "\x01"
    assert wire.encode_varint(-1) == wire.encode_varint(2**64 - 1)


@given(st.integers(0, 2**64 - 1))
@example(127)
@example(128)
@example(16383)
@example(16384)
def test_varint_table_caches_short_varints(number: int) -> None:
    table = wire.Varints(0, 2**64 - 1)
    assert table[number] == wire.encode_varint(number).decode(wire.CHARACTERS)
    assert (number in table) == (number < 2**14)


@pytest.mark.parametrize(
    ("encode", "number"),
    [
        (wire.encode_varint, 2**64),
        (wire.encode_varint, -(2**63) - 1),
        (wire.INT32.__getitem__, 2**31),
        (wire.INT32.__getitem__, -(2**31) - 1),
        (wire.INT64.__getitem__, 2**63),
        (wire.UINT32.__getitem__, 2**32),
        (wire.UINT32.__getitem__, -1),
        (wire.UINT64.__getitem__, 2**64),
        (wire.UINT64.__getitem__, -1),
    ],
)
def test_numbers_out_of_range(encode: Callable[[int], bytes], number: int) -> None:
    with pytest.raises(EncodeError):
        encode(number)


@pytest.mark.parametrize("data", [b"", b"\x80", b"\xff" * 9, b"\xff" * 10, b"\x80" * 11 + b"\x00"])
def test_truncated_or_too_long_varints(data: bytes) -> None:
    with pytest.raises(DecodeError):
        wire.read_varint(data, 0)


def test_varint_is_truncated_to_64_bits_as_in_gogo() -> None:
    assert wire.read_varint(b"\xff" * 9 + b"\x7f", 0) == (2**64 - 1, 10)
    assert wire.read_varint(b"\x81\x80\x00", 0) == (1, 3)


@given(st.floats(allow_nan=False))
def test_floats_round_trip(number: float) -> None:
    assert wire.to_float64(wire.encode_float64(number)) == number


@given(st.floats(allow_nan=False, width=32))
def test_float32_values_round_trip(number: float) -> None:
    assert wire.to_float32(wire.encode_float32(number)) == number


def test_floats_out_of_range() -> None:
    with pytest.raises(EncodeError):
        wire.encode_float32(1e39)
    for size, read in ((3, wire.to_float32), (7, wire.to_float64)):
        with pytest.raises(DecodeError):
            read(bytes(size))


@given(st.binary())
def test_invalid_utf8_is_preserved_as_in_go(data: bytes) -> None:
    text = wire.decode_text(data)
    assert wire.encode_text(text) == data
    json_text(text)


def test_each_invalid_byte_is_one_replacement_in_json() -> None:
    assert json_text(wire.decode_text(b"a\xff\xe2\x82")) == r'"a\ufffd\ufffd\ufffd"'
    with pytest.raises(EncodeError):
        wire.encode_text("\ud800")


@pytest.mark.parametrize(
    ("wire_type", "value", "end"),
    [(0, b"\xac\x02", 2), (1, bytes(8), 8), (2, b"\x03abc", 4), (2, b"\x00", 1), (5, bytes(4), 4)],
)
def test_unknown_fields_are_skipped(wire_type: int, value: bytes, end: int) -> None:
    assert wire.skip_field(value + b"rest", 0, wire_type) == end
    assert wire.skip_unknown(value, 0, 9 << 3 | wire_type, frozenset({1, 2})) == end
    with pytest.raises(DecodeError):
        wire.skip_field(value[:-1], 0, wire_type)
    with pytest.raises(DecodeError, match="field 9 has the wrong wire type"):
        wire.skip_unknown(value, 0, 9 << 3 | wire_type, frozenset({9}))


@pytest.mark.parametrize("wire_type", [3, 4, 6, 7])
def test_groups_are_rejected(wire_type: int) -> None:
    with pytest.raises(DecodeError, match=f"wire type {wire_type} is not supported"):
        wire.skip_field(bytes(20), 0, wire_type)


@pytest.mark.parametrize("tag", [0, 2, 2**34 << 3])
def test_field_numbers_start_at_one(tag: int) -> None:
    with pytest.raises(DecodeError):
        wire.skip_unknown(bytes(20), 0, tag, frozenset())


def test_lengths_are_checked() -> None:
    assert wire.read_delimited(b"\x02abc", 0) == (b"ab", 3)
    assert wire.delimited(b"x" * 200) == b"\xc8\x01" + b"x" * 200
    for data in (b"\x04abc", b"\xff" * 9 + b"\x01", b""):
        with pytest.raises(DecodeError):
            wire.read_delimited(data, 0)


@given(st.binary(max_size=40), st.integers(0, 7))
def test_any_bytes_are_decoded_or_rejected(data: bytes, wire_type: int) -> None:
    readers: list[Callable[[], object]] = [
        lambda: wire.read_varint(data, 0),
        lambda: wire.read_delimited(data, 0),
        lambda: wire.skip_field(data, 0, wire_type),
        lambda: unwrap(b"k8s\0" + data),
        *(
            lambda name=name: getattr(well_known, name)(data, "x")
            for name in dir(well_known)
            if name.startswith("decode_") and name != "decode_text"
        ),
    ]
    for read in readers:
        try:
            read()
        except DecodeError:
            continue


@given(INT64)
def test_well_known_numbers_round_trip(number: int) -> None:
    if number != ZERO_SECONDS:
        assert well_known.decode_time(encoded(well_known.write_time(Time(number)))) == Time(number)
    if number != ZERO_SECONDS * 10**6:
        assert well_known.decode_micro_time(encoded(well_known.write_micro_time(MicroTime(number)))) == MicroTime(
            number
        )
    assert well_known.decode_duration(encoded(well_known.write_duration(Duration(number)))) == Duration(number)


@given(st.binary())
def test_raw_values_round_trip(raw: bytes) -> None:
    assert well_known.decode_raw_extension(encoded(well_known.write_raw_extension(RawExtension(raw)))) == RawExtension(
        raw
    )


@pytest.mark.parametrize(
    ("data", "time"),
    [
        (b"", None),
        (b"\x10\x05", Time(0)),
        (b"\x10\x05\x08\x01", Time(1)),
        (b"\x08\x01\x08\x02", Time(2)),
        (b"\x08\x01\x18\x07\x22\x01x", Time(1)),
        (b"\x08" + encoded(wire.INT64[ZERO_SECONDS]) + b"\x10\x00", None),
    ],
)
def test_times_in_any_order_and_with_unknown_fields(data: bytes, time: Time | None) -> None:
    assert well_known.decode_time(data) == time


def test_nanoseconds_are_truncated_to_microseconds() -> None:
    body = b"\x08\x01\x10" + encoded(wire.INT32[-1_500])
    assert well_known.decode_micro_time(body) == MicroTime(999_999)


def test_errors_of_well_known_types_have_the_path() -> None:
    for decode, data in (
        (well_known.decode_time, b"\x08"),
        (well_known.decode_time, b"\x09" + bytes(8)),
        (well_known.decode_quantity, b"\x0a\x01x"),
        (well_known.decode_quantity, b"\x0a\x01\xff"),
        (well_known.decode_int_or_string, b"\x08\x02"),
        (well_known.decode_fields_v1, b"\x0a\x05a"),
    ):
        with pytest.raises(DecodeError) as caught:
            decode(data, "spec.x")
        assert caught.value.path == "spec.x"


def test_values_out_of_range_are_not_encoded() -> None:
    with pytest.raises(EncodeError):
        well_known.write_int_or_string(2**31)
    with pytest.raises(EncodeError):
        well_known.write_int_or_string("\ud800")
    with pytest.raises(EncodeError):
        well_known.write_time(Time(2**63))


@pytest.mark.parametrize("path", codec_files(), ids=lambda path: path.name)
def test_envelopes_of_objects(path: Path) -> None:
    for record in objects(path):
        data = base64.b64decode(record["proto"])
        envelope = unwrap(data)
        assert (envelope.api_version.rpartition("/")[2], envelope.kind) == (record["version"], record["kind"])
        assert wrap(envelope.api_version, envelope.kind, envelope.raw) == data


@pytest.mark.parametrize("folder", fixture_sets(), ids=lambda folder: folder.name)
def test_envelopes_of_fixtures(folder: Path) -> None:
    for path in folder.glob("*.pb"):
        data = path.read_bytes()
        envelope = unwrap(data)
        assert envelope.kind in ("", path.name.split(".")[-2], path.name.split(".")[-3])
        assert (envelope.content_encoding, envelope.content_type) == ("", "")
        assert wrap(envelope.api_version, envelope.kind, envelope.raw) == data


def test_envelope_can_have_missing_and_unknown_fields() -> None:
    assert unwrap(b"k8s\0\x12\x01x") == Envelope("", "", b"x")
    assert unwrap(b"k8s\0\x1a\x01e\x22\x01t\x28\x05") == Envelope("", "", b"", "e", "t")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"k8s",
        b"k8s\0",
        b"{}",
        b"k8s\0\x0a",
        b"k8s\0\x08\x01",
        b"k8s\0\x12\x05x",
        b"k8s\0\x0a\x02\x08\x01",
        b"k8s\0\x13",
    ],
)
def test_invalid_envelopes(data: bytes) -> None:
    with pytest.raises(DecodeError):
        unwrap(data)


def test_struct_is_not_needed_to_read_a_float() -> None:
    assert wire.to_float64(struct.pack("<d", 0.5)) == 0.5
