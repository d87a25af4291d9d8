"""Every single value that Kubernetes' own code read and wrote: JSON in, JSON out, protobuf, and rejected values."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from apigen.runtime import DecodeError, json_text, json_values, parse_json, wire_wellknown
from tests.runtime.kubernetes_vectors import Record, well_known

RAW = frozenset({"value"})


@dataclass(frozen=True)
class Codec:
    """What reads and writes a type, and what JSON has for it."""

    type: str
    name: str
    in_json: Callable[[Any], object] = lambda value: None if value is None else str(value)

    def from_json(self, text: str) -> Any:
        tree = parse_json('{"value":' + text + "}", RAW)
        assert isinstance(tree, dict)
        return getattr(json_values, f"decode_{self.name}")(tree["value"], "value")

    def to_json(self, value: object) -> str:
        return json_text(self.in_json(value))

    def from_proto(self, body: bytes) -> Any:
        return getattr(wire_wellknown, f"decode_{self.name}")(body)

    def to_proto(self, value: object) -> bytes:
        characters: str = getattr(wire_wellknown, f"write_{self.name}")(value)
        return characters.encode(wire_wellknown.CHARACTERS)


def as_it_is(value: object) -> object:
    return value


CODECS = [
    Codec("Quantity", "quantity"),
    Codec("Time", "time"),
    Codec("MicroTime", "micro_time"),
    Codec("Duration", "duration"),
    Codec("IntOrString", "int_or_string", as_it_is),
    Codec("RawExtension", "raw_extension", as_it_is),
    Codec("FieldsV1", "fields_v1", as_it_is),
]

parametrized = pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.type)


def accepted(codec: Codec) -> list[Record]:
    return [record for record in well_known(codec.type) if record["error"] is None]


def test_all_types_are_covered() -> None:
    assert sum(len(well_known(codec.type)) for codec in CODECS) == 1030


@parametrized
def test_json_is_encoded_as_by_kubernetes(codec: Codec) -> None:
    written = {record["in"]: codec.to_json(codec.from_json(record["in"])) for record in accepted(codec)}
    assert written == {record["in"]: record["out"] for record in accepted(codec)}


@parametrized
def test_protobuf_is_encoded_as_by_kubernetes(codec: Codec) -> None:
    written = {record["in"]: codec.to_proto(codec.from_json(record["in"])) for record in accepted(codec)}
    assert written == {record["in"]: base64.b64decode(record["proto"]) for record in accepted(codec)}


@parametrized
def test_protobuf_is_decoded_as_by_kubernetes(codec: Codec) -> None:
    bodies = {record["proto"]: record["protoOut"] for record in accepted(codec)}
    assert {body: codec.to_json(codec.from_proto(base64.b64decode(body))) for body in bodies} == bodies


@parametrized
def test_values_rejected_by_kubernetes_are_rejected(codec: Codec) -> None:
    for record in well_known(codec.type):
        if record["error"] is not None:
            with pytest.raises(DecodeError) as caught:
                codec.from_json(record["in"])
            assert caught.value.path == "value", record["in"]


@parametrized
def test_damaged_protobuf_is_an_error_or_a_value(codec: Codec) -> None:
    bodies = {base64.b64decode(record["proto"]) for record in accepted(codec)[::10]}
    for body in bodies:
        for at in range(len(body)):
            for changed in (body[:at], body[:at] + bytes([body[at] ^ 0x81]) + body[at + 1 :]):
                try:
                    codec.from_proto(changed)
                except DecodeError:
                    continue
