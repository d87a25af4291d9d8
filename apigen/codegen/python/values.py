"""Values as Python expressions: literals of a spec, zero values, and copies of lists and maps."""

from __future__ import annotations

from apigen.codegen.python.source_text import Imports, literal
from apigen.ir.literals import EnumText, KnownValue, ListValue, LiteralValue, MapValue, NullValue, PlainValue
from apigen.ir.model import (
    EnumType,
    Field,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    WellKnown,
    WellKnownType,
    underlying,
)


def literal_expression(value: LiteralValue, imports: Imports) -> str:
    """Return a Python expression for a new value, which no two uses share."""
    match value:
        case NullValue():
            return "None"
        case PlainValue(plain):
            return literal(plain)
        case EnumText():
            return literal(value.value)
        case KnownValue():
            return _known(value, imports)
        case ListValue(items):
            return f"[{', '.join(literal_expression(item, imports) for item in items)}]"
        case MapValue(entries):
            pairs = (f"{literal(key)}: {literal_expression(item, imports)}" for key, item in entries)
            return f"{{{', '.join(pairs)}}}"
    arguments = [NO_TYPE_META] if value.type.has_type_meta else []
    arguments += [f"{f.py_name}={literal_expression(v, imports)}" for f, v in value.members]
    return f"{imports.type_name(value.type.id)}({', '.join(arguments)})"


def _known(value: KnownValue, imports: Imports) -> str:
    name = imports.runtime(value.known.value)
    match value.known:
        case WellKnown.QUANTITY:
            return f"{name}({literal(value.text)})"
        case WellKnown.RAW_EXTENSION | WellKnown.FIELDS_V1:
            return f"{name}({literal(value.text.encode())})"
    return f"{name}.parse({literal(value.text)})"


NO_TYPE_META = 'api_version="", kind=""'
"""Arguments of a kind's class for an object inside another one, in which `apiVersion` and `kind` are empty."""


def blank(type_: StructType, imports: Imports) -> str:
    """Return an expression for the zero value of a struct within another one."""
    return f"{imports.type_name(type_.id)}({NO_TYPE_META if type_.has_type_meta else ''})"


def copied_list(value: str) -> str:
    """Return an expression for a copy of a list; `list(…)` is slower for short ones."""
    return f"[*{value}]"


def copied_map(value: str) -> str:
    """Return an expression for a copy of a dict; `dict(…)` is slower for short ones."""
    return f"{{**{value}}}"


def is_loop(expression: str) -> bool:
    """Return whether an expression creates a list or dict item by item."""
    return expression.startswith(("[", "{")) and not expression.startswith(("[*", "{**"))


_SCALAR_ZERO = {
    Scalar.STRING: '""',
    Scalar.BOOL: "False",
    Scalar.BYTES: 'b""',
    Scalar.FLOAT32: "0.0",
    Scalar.FLOAT64: "0.0",
}


def zero(type_: Type, can_be_none: bool, imports: Imports) -> str:
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
            return blank(struct, imports)
        case WellKnownType(WellKnown.QUANTITY):
            return f'{imports.runtime("Quantity")}("0")'
        case WellKnownType(WellKnown.DURATION):
            return f"{imports.runtime('Duration')}(0)"
        case WellKnownType(WellKnown.INT_OR_STRING):
            return "0"
    return "None"


def not_zero(value: str, field: Field, imports: Imports) -> str:
    """A Python expression: `value`, of the type of `field`, is not zero."""
    if _is_false(field):
        return value if underlying(field.type) == ScalarType(Scalar.BOOL) else f"bool({value})"
    return f"{value} {'is not' if field.can_be_none else '!='} {zero(field.type, field.can_be_none, imports)}"


def is_zero(value: str, field: Field, imports: Imports) -> str:
    """The opposite of `not_zero`."""
    if _is_false(field):
        return f"not {value}"
    return f"{value} {'is' if field.can_be_none else '=='} {zero(field.type, field.can_be_none, imports)}"


def _is_false(field: Field) -> bool:
    """Return whether zero is the only false value of a field, whose truth is tested then."""
    behind = underlying(field.type)
    return not field.can_be_none and (isinstance(behind, ListType | MapType) or behind == ScalarType(Scalar.BOOL))
