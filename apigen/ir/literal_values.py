"""The values of literals in specs, once their types are known."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.ir.model import Field
from apigen.ir.types import StructType, TypeId, WellKnown


@dataclass(frozen=True, slots=True)
class NullValue:
    """The literal `null`."""


@dataclass(frozen=True, slots=True)
class PlainValue:
    """A bool, number, text or bytes, as Python has it."""

    value: bool | int | float | str | bytes


@dataclass(frozen=True, slots=True)
class EnumText:
    """A known value of an enum; `py_name` is its member."""

    id: TypeId
    value: str
    py_name: str


@dataclass(frozen=True, slots=True)
class KnownValue:
    """A value of a well-known type by its canonical text: `500m`, `1h30m0s`, `2001-02-03T04:05:06Z`.

    Of RawExtension and FieldsV1 it is JSON text, compact. An IntOrString is a PlainValue.
    """

    known: WellKnown
    text: str


@dataclass(frozen=True, slots=True)
class ListValue:
    """A list."""

    items: tuple[LiteralValue, ...]


@dataclass(frozen=True, slots=True)
class MapValue:
    """A map, in written order."""

    entries: tuple[tuple[str, LiteralValue], ...]


@dataclass(frozen=True, slots=True)
class StructValue:
    """A struct with the fields that are given, in written order; the others are zero."""

    type: StructType
    members: tuple[tuple[Field, LiteralValue], ...]


LiteralValue = NullValue | PlainValue | EnumText | KnownValue | ListValue | MapValue | StructValue
