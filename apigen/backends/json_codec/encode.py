"""Writes the bodies of functions that write JSON, in the order of the fields."""

from __future__ import annotations

from itertools import takewhile

from apigen.backends.json_codec.values import TYPE_META, Names
from apigen.backends.types.annotations import item_can_be_none
from apigen.backends.types.functions import called, numbered
from apigen.ir.model import Alias, Field, Presence, Struct, zero_is_none
from apigen.ir.types import (
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
from apigen.python.code import Code, text_literal
from apigen.python.making import blank, copied_list, is_loop, write_list
from apigen.python.walking import ItemVariables

_CONVERTED = {Scalar.BYTES: "encode_bytes", Scalar.FLOAT32: "encode_float32", Scalar.FLOAT64: "encode_float64"}
"""Scalars that JSON does not have as they are, and the functions of the run-time library for them."""

_AS_TEXT = frozenset({WellKnown.TIME, WellKnown.MICRO_TIME, WellKnown.DURATION, WellKnown.QUANTITY})
"""Well-known types whose `str()` is what JSON has."""


def encode_struct(struct: Struct, names: Names) -> Code:
    """The body that writes a struct: what is always written stands in one display until something optional is met."""
    code = Code()
    leading = _leading(struct, names)
    display = ", ".join(f"{text_literal(f.json_name)}: {_always(f, names)}" for f in leading)
    rest = struct.fields[len(leading) :]
    if not rest and not struct.has_type_meta:
        code.line(f"return {{{display}}}")
        return code
    code.line(f"data: dict[str, object] = {{{display}}}")
    if struct.has_type_meta:
        for json_name, attribute in TYPE_META:
            with code.block(f"if obj.{attribute}:"):
                code.line(f"data[{text_literal(json_name)}] = obj.{attribute}")
    if any(_is_loop(field, names) for field in rest):
        code.line("items: list[object]")
    variables = ItemVariables("encode", ("data", "in_order", "items"))
    for field in rest:
        _member(code, field, names, variables)
    code.line("return data")
    return code


def encode_alias(alias: Alias, names: Names) -> Code:
    """The body that writes a named list or map."""
    code = Code()
    code.line(f"return {_write(alias.target, 'obj', names)}")
    return code


def json_annotation(type_: Struct | Alias) -> str:
    """The type of what the function of a type returns."""
    is_list = isinstance(type_, Alias) and isinstance(underlying(type_.target), ListType)
    return "list[object]" if is_list else "dict[str, object]"


def _leading(struct: Struct, names: Names) -> tuple[Field, ...]:
    """The fields that fit into a display: those before the first that takes an `if`; none behind what kinds have."""
    if struct.has_type_meta:
        return ()
    return tuple(takewhile(lambda field: _is_always_written(field) and not _takes_loop(field, names), struct.fields))


def _is_always_written(field: Field) -> bool:
    """Whether a field is in JSON whatever its value."""
    return field.presence in (Presence.PLAIN, Presence.NULLABLE)


def _member(code: Code, field: Field, names: Names, variables: ItemVariables) -> None:
    store = f"data[{text_literal(field.json_name)}]"
    if _is_always_written(field) and not _takes_loop(field, names):
        code.line(f"{store} = {_always(field, names)}")
        return
    if _is_always_written(field):
        code.line(f"{store} = None")
    with code.block(f"if {_is_there(field, names)}:"):
        item, value = _struct_item(field.type), f"obj.{field.py_name}"
        if item is None:
            code.line(f"{store} = {_write(field.type, value, names)}")
        else:
            variable = variables.of(item)
            write_list(code, value, variable, _write_item(item, variable, names, 1), store, "items")


def _is_loop(field: Field, names: Names) -> bool:
    """Whether `_member` writes a loop for a field."""
    in_place = _is_always_written(field) and not _takes_loop(field, names)
    return not in_place and _struct_item(field.type) is not None


def _struct_item(type_: Type) -> Type | None:
    """The type of the items, for a list of structs that is written where it stands."""
    behind = underlying(type_)
    if called(type_) is not None or not isinstance(behind, ListType):
        return None
    return behind.item if isinstance(underlying(behind.item), StructType) else None


def _takes_loop(field: Field, names: Names) -> bool:
    """Whether a field that may be `None` has elements that have to be written one by one."""
    written = _write(field.type, "", names) if field.can_be_none else ""
    return is_loop(written)


def _always(field: Field, names: Names) -> str:
    value = f"obj.{field.py_name}"
    return _write_or_null(field.type, value, names) if field.can_be_none else _write(field.type, value, names)


def _is_there(field: Field, names: Names) -> str:
    """Whether a field has a value to write: it is not `None`, or not zero where that is how absence looks."""
    value = f"obj.{field.py_name}"
    if field.presence is not Presence.OMIT_EMPTY or zero_is_none(field.type):
        return f"{value} is not None"
    match underlying(field.type):
        case StructType() as struct:
            return f"{value} != {blank(struct, names.imports.type_name)}"
        case WellKnownType(WellKnown.INT_OR_STRING):
            return f"{value} != 0"
        case WellKnownType(WellKnown.DURATION):
            return f"{value}.nanoseconds"
    return value


def _write(type_: Type, value: str, names: Names, depth: int = 0) -> str:
    """An expression for the JSON value of the expression `value`, which is not `None`."""
    function = called(type_)
    if function is not None:
        return f"{names.function('encode', function)}({value})"
    match underlying(type_):
        case ListType(item):
            element = numbered("item", depth)
            inner = _write_item(item, element, names, depth + 1)
            return copied_list(value) if inner == element else f"[{inner} for {element} in {value}]"
        case MapType(_, item):
            key, element = numbered("key", depth), numbered("item", depth)
            entries = f"{key}, {element} in sorted({value}.items())"
            if not item_can_be_none(item):  # type checkers know of names only that they are not None
                element, entries = f"{value}[{key}]", f"{key} in sorted({value})"
            inner = _write_item(item, element, names, depth + 1)
            if inner == element:
                return f"{names.runtime('in_order')}({value})"
            return f"{{{key}: {inner} for {entries}}}"
        case WellKnownType(known) if known in _AS_TEXT:
            return f"str({value})"
        case ScalarType(scalar) if scalar in _CONVERTED:
            return f"{names.runtime(_CONVERTED[scalar])}({value})"
    return value


def _write_item(type_: Type, value: str, names: Names, depth: int) -> str:
    return _write_or_null(type_, value, names, depth) if item_can_be_none(type_) else _write(type_, value, names, depth)


def _write_or_null(type_: Type, value: str, names: Names, depth: int = 0) -> str:
    written = _write(type_, value, names, depth)
    return written if written == value else f"None if {value} is None else {written}"
