"""How types and zero values are spelled in generated Python."""

from __future__ import annotations

from collections.abc import Callable

from apigen.backends.modules import Imports
from apigen.ir.model import Field, zero_is_none
from apigen.ir.types import (
    EnumType,
    ListType,
    MapType,
    NamedType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    TypeId,
    WellKnown,
    WellKnownType,
    is_bytes,
    underlying,
)

_SCALARS = {
    Scalar.STRING: ("str", '""'),
    Scalar.BOOL: ("bool", "False"),
    Scalar.INT32: ("int", "0"),
    Scalar.INT64: ("int", "0"),
    Scalar.UINT32: ("int", "0"),
    Scalar.UINT64: ("int", "0"),
    Scalar.FLOAT32: ("float", "0.0"),
    Scalar.FLOAT64: ("float", "0.0"),
    Scalar.BYTES: ("bytes", 'b""'),
}
"""The Python type and the zero value of each scalar."""

_WELL_KNOWN_ZERO = {WellKnown.QUANTITY: '"0"', WellKnown.DURATION: "0"}
"""What the class of a well-known type is called with for its zero value."""

IsLate = Callable[[TypeId], bool]
"""Whether a class may not be there yet when the body of another one runs."""


def scalar_zero(scalar: Scalar) -> str:
    """The zero value of a scalar."""
    return _SCALARS[scalar][1]


def item_can_be_none(type_: Type) -> bool:
    """Whether an element of a list or a value of a map may be `None`.

    True for what has `None` as zero value, for named lists and maps that are nullable, and for bytes, of which
    Kubernetes keeps `null` and `""` apart wherever they stand.
    """
    while isinstance(type_, NamedType):
        if type_.nullable:
            return True
        type_ = type_.target
    return zero_is_none(type_) or is_bytes(type_)


def field_annotation(field: Field, imports: Imports) -> str:
    """The type of a field's attribute."""
    return annotation(field.type, field.can_be_none, imports)


def annotation(type_: Type, can_be_none: bool, imports: Imports) -> str:
    """The type of a value."""
    plain = _plain_annotation(type_, imports)
    return f"{plain} | None" if can_be_none else plain


def _plain_annotation(type_: Type, imports: Imports) -> str:
    match type_:
        case ScalarType(scalar):
            return imports.builtin(_SCALARS[scalar][0])
        case WellKnownType(WellKnown.INT_OR_STRING):
            return f"{imports.builtin('int')} | {imports.builtin('str')}"
        case WellKnownType(known):
            return imports.runtime(known.value)
        case ListType(item):
            return f"{imports.builtin('list')}[{_item_annotation(item, imports)}]"
        case MapType(key, value):
            return f"{imports.builtin('dict')}[{_plain_annotation(key, imports)}, {_item_annotation(value, imports)}]"
        case EnumType(id_):
            return f"{imports.type_name(id_)} | {imports.builtin('str')}"
        case StructType(id_) | NamedType(id_):
            return imports.type_name(id_)


def _item_annotation(type_: Type, imports: Imports) -> str:
    return annotation(type_, item_can_be_none(type_), imports)


def field_default(field: Field, imports: Imports, is_late: IsLate) -> str:
    """What stands behind the `=` of a field: its zero value, or how to make one that is not shared."""
    if field.can_be_none:
        return "None"
    behind = underlying(field.type)
    match behind:
        case ScalarType(scalar):
            return scalar_zero(scalar)
        case WellKnownType(known) if known in _WELL_KNOWN_ZERO:
            return f"{imports.runtime(known.value)}({_WELL_KNOWN_ZERO[known]})"
        case ListType():
            return _factory(imports.builtin("list"), imports)
        case MapType():
            return _factory(imports.builtin("dict"), imports)
        case StructType(id_):
            name = imports.type_name(id_)
            return _factory(f"lambda: {name}()" if is_late(id_) else name, imports)
    return '""' if isinstance(behind, EnumType) else "0"


def _factory(make: str, imports: Imports) -> str:
    return f"{imports.standard('dataclasses', 'field')}(default_factory={make})"
