"""Zero values of types, as Python expressions."""

from __future__ import annotations

from collections.abc import Callable

from apigen.codegen.python.making import blank
from apigen.ir.model import Field
from apigen.ir.types import (
    EnumType,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    TypeId,
    WellKnown,
    WellKnownType,
    underlying,
)

_SCALAR_ZERO = {
    Scalar.STRING: '""',
    Scalar.BOOL: "False",
    Scalar.BYTES: 'b""',
    Scalar.FLOAT32: "0.0",
    Scalar.FLOAT64: "0.0",
}


def zero(type_: Type, can_be_none: bool, runtime: Callable[[str], str], type_name: Callable[[TypeId], str]) -> str:
    """The zero value of a type."""
    if can_be_none:
        return "None"
    match underlying(type_):
        case ScalarType(scalar):
            return _SCALAR_ZERO.get(scalar, "0")
        case EnumType():
            return '""'
        case ListType():
            return "[]"
        case MapType():
            return "{}"
        case StructType() as struct:
            return blank(struct, type_name)
        case WellKnownType(WellKnown.QUANTITY):
            return f'{runtime("Quantity")}("0")'
        case WellKnownType(WellKnown.DURATION):
            return f"{runtime('Duration')}(0)"
        case WellKnownType(WellKnown.INT_OR_STRING):
            return "0"
    return "None"


def not_zero(value: str, field: Field, runtime: Callable[[str], str], type_name: Callable[[TypeId], str]) -> str:
    """A Python expression: `value`, of the type of `field`, is not zero."""
    if field.can_be_none:
        return f"{value} is not None"
    match underlying(field.type):
        case ScalarType(Scalar.BOOL):
            return value
        case ListType() | MapType():
            return f"bool({value})"
    return f"{value} != {zero(field.type, False, runtime, type_name)}"


def is_zero(value: str, field: Field, runtime: Callable[[str], str], type_name: Callable[[TypeId], str]) -> str:
    """The opposite of `not_zero`."""
    if field.can_be_none:
        return f"{value} is None"
    match underlying(field.type):
        case ScalarType(Scalar.BOOL):
            return f"not {value}"
        case ListType() | MapType():
            return f"not {value}"
    return f"{value} == {zero(field.type, False, runtime, type_name)}"
