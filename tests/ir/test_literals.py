"""Literals as values: each bound to its type, texts canonical."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.ir.literals import (
    EnumText,
    KnownValue,
    ListValue,
    LiteralValue,
    MapValue,
    NullValue,
    PlainValue,
    StructValue,
    literal_value,
)
from apigen.ir.model import ListType, ScalarType, TypeId, WellKnown
from tests.ir.resolving import resolved, struct

TYPES = """
  Mode: {enum: {Flat: {}, On/Off: {}}}
  Label: {is: string}
  Size: {fields: {width: {type: int32, optional: true}, unit: {type: Quantity, omitEmpty: true}}}
"""
MODE, SIZE = TypeId("things.example.com", "v1", "Mode"), TypeId("things.example.com", "v1", "Size")


def value_of(folder: Path, type_: str, literal: str) -> LiteralValue:
    """The default of a field of that type."""
    body = f"{{fields: {{width: {{type: '{type_}', optional: true, default: {{value: {literal}}}}}}}}}"
    api = resolved(folder, {"v1.yaml": f"types:\n  Frobber: {body}\n{TYPES}"})
    (field,) = struct(api, "Frobber").fields
    assert field.default[0].value is not None
    return literal_value(field.default[0].value, field.type, api.types)


@pytest.mark.parametrize(
    ("type_", "literal", "expected"),
    [
        ("bool", "true", PlainValue(True)),
        ("int32", "-1", PlainValue(-1)),
        ("uint64", "18446744073709551615", PlainValue(2**64 - 1)),
        ("float64", "1", PlainValue(1.0)),
        ("string", "'1.10'", PlainValue("1.10")),
        ("string", "no", PlainValue("no")),
        ("Label", "x", PlainValue("x")),
        ("bytes", "aGk=", PlainValue(b"hi")),
        ("Mode", "On/Off", EnumText(MODE, "On/Off", "ON_OFF")),
        ("IntOrString", "25%", PlainValue("25%")),
        ("IntOrString", "25", PlainValue(25)),
        ("Quantity", "0.5", KnownValue(WellKnown.QUANTITY, "500m")),
        ("Quantity", "1024Ki", KnownValue(WellKnown.QUANTITY, "1Mi")),
        ("Quantity", "2", KnownValue(WellKnown.QUANTITY, "2")),
        ("Duration", "90m", KnownValue(WellKnown.DURATION, "1h30m0s")),
        ("Time", "'2001-02-03T06:05:06+02:00'", KnownValue(WellKnown.TIME, "2001-02-03T04:05:06Z")),
        ("RawExtension", "{b: [1, null], a: ä}", KnownValue(WellKnown.RAW_EXTENSION, '{"b":[1,null],"a":"ä"}')),
        ("[]int32", "[1, 2]", ListValue((PlainValue(1), PlainValue(2)))),
        ("[]string", "[]", ListValue(())),
        ("map[string]bool", "{a: true}", MapValue((("a", PlainValue(True)),))),
        ("map[Mode]int32", "{Flat: 1}", MapValue((("Flat", PlainValue(1)),))),
    ],
)
def test_values(type_: str, literal: str, expected: LiteralValue, tmp_path: Path) -> None:
    if type_ == "Quantity" and literal == "0.5":
        literal = "'0.5'"
    value = value_of(tmp_path, type_, literal)
    assert value == expected
    assert not isinstance(value, PlainValue) or type(value.value) is type(getattr(expected, "value", None))


def test_struct_value_resolves_its_fields(tmp_path: Path) -> None:
    value = value_of(tmp_path, "Size", "{unit: 1500m, width: null}")
    assert isinstance(value, StructValue)
    assert value.type.id == SIZE
    assert [(field.json_name, member) for field, member in value.members] == [
        ("unit", KnownValue(WellKnown.QUANTITY, "1500m")),
        ("width", NullValue()),
    ]


def test_values_of_another_type_are_rejected(tmp_path: Path) -> None:
    api = resolved(tmp_path, {"v1.yaml": "types: {Frobber: {fields: {a: {type: string, default: x}}}}\n"})
    (field,) = struct(api, "Frobber").fields
    assert field.default[0].value is not None
    assert isinstance(field.type, ScalarType)
    with pytest.raises(ValueError, match="expected a list"):
        literal_value(field.default[0].value, ListType(field.type), api.types)
