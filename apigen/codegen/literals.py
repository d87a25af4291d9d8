"""Literals of a spec as Python expressions."""

from __future__ import annotations

from apigen.codegen.python.source_text import Imports, literal
from apigen.codegen.python.zero import NO_TYPE_META
from apigen.ir.literal_values import EnumText, KnownValue, ListValue, LiteralValue, MapValue, NullValue, PlainValue
from apigen.ir.types import WellKnown


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
