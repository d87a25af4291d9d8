"""Hostile documents: the same object or the same error with the extension and without it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from generated.runtime.kinds import KindVersion
from generated.things_example_com.v7alpha1.types import Frobber
from tests.native.both import SEEDS, compiled, frobber, outcome, pure
from tests.native.kinds import JSON, PROTOBUF, class_of, layouts
from tests.native.sanitized.making import randomized
from tests.native.test_agreement import ANY_KIND, SEVERAL


def both_read(data: bytes, media: str) -> None:
    assert outcome(compiled().decode, data, media) == outcome(pure().decode, data, media), data
    if media == JSON:
        text = data.decode(errors="surrogateescape")
        assert outcome(compiled().decode, text) == outcome(pure().decode, text), text


@ANY_KIND
@SEVERAL
@given(seed=SEEDS)
def test_truncated_documents_and_changed_bytes(entry: KindVersion, seed: int) -> None:
    random = Random(seed)
    obj = randomized(layouts(), class_of(entry), random)
    if entry.type_meta:
        obj.api_version, obj.kind = entry.api_version, entry.kind
    for media in (JSON, PROTOBUF):
        data = pure().encode(obj, media)
        for _ in range(10):
            at = random.randrange(len(data))
            both_read(data[:at], media)
            both_read(data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :], media)


HEAD = b'{"apiVersion":"things.example.com/v7alpha1","kind":"Frobber"'
VALUES = {
    "lists in lists": b"[" * 200 + b"]" * 200,
    "too many lists in lists": b"[" * 20_000 + b"]" * 20_000,
    "lists that do not end": b"[" * 100_000,
    "objects in objects": b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
    "half of a pair": b'"\\ud800"',
    "halves in the wrong order": b'"\\udc00\\ud800"',
    "a pair": b'"\\ud83d\\ude00"',
    "no UTF-8": b'"\xed\xa0\x80"',
    "more than Unicode has": b'"\xf4\x90\x80\x80"',
    "longer than need be": b'"\xc0\x80"',
    "a sign that must be escaped": b'"\x01"',
    "an invalid escape": b'"\\x"',
    "19 digits": b"9" * 19,
    "a million digits": b"9" * 1_000_000,
    "a large exponent": b"1e999999999",
    "minus nothing": b"-",
    "minus zero": b"-0",
    "zero before": b"01",
    "half of a float": b"1.",
    "NaN": b"NaN",
    "a word and more": b"nullx",
    "an open text": b'"' + b"a" * 100,
    "an object": b"{}",
    "a list": b"[]",
    "null": b"null",
    "true": b"true",
}


@pytest.mark.slow
@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_unusual_values_in_every_field(value: bytes) -> None:
    types: dict[str, object] = {"unknown": "string"} | {member[0]: member[2] for member in layouts()[Frobber]}
    for said, type_ in types.items():
        name = said.encode()
        both_read(HEAD + b',"' + name + b'":' + value + b"}", JSON)
        if isinstance(type_, tuple):
            both_read(HEAD + b',"' + name + b'":[' + value + b"]}", JSON)
            both_read(HEAD + b',"' + name + b'":{"a":' + value + b"}}", JSON)
    both_read(value, JSON)


LENGTHS = [b"\x7f", b"\xff\xff\xff\xff\x07", b"\xff\xff\xff\xff\x0f", b"\xff" * 8 + b"\x7f", b"\xff" * 9 + b"\x01"]
LENGTHS += [b"\xff" * 9 + b"\x02", b"\xff" * 9 + b"\x7f", b"\x80" * 9 + b"\x01", b"\x80" * 20, b"\xff" * 20, b""]


@pytest.mark.parametrize("length", LENGTHS, ids=lambda length: length.hex() or "none")
def test_lengths_that_are_too_large(length: bytes) -> None:
    whole = pure().encode(frobber(), PROTOBUF)
    for at in range(4, len(whole)):
        both_read(whole[:at] + length + whole[at + 1 :], PROTOBUF)
    for number in range(1, 20):
        for wire_type in range(8):
            both_read(b"k8s\x00\x12" + bytes([number << 3 & 0x7F | wire_type]) + length + b"abc", PROTOBUF)
