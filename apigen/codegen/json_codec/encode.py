"""Writes the bodies of functions that write JSON, in the order of the fields."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile

from apigen.codegen.json_codec.values import TYPE_META, Names
from apigen.codegen.python.source_text import Code, alternative, numbered, pair, text_literal
from apigen.codegen.python.walking import ItemVariables
from apigen.codegen.python.zero import blank, is_loop, write_list
from apigen.codegen.types.annotations import item_can_be_none
from apigen.codegen.types.backend import called
from apigen.ir.model import Alias, Field, Presence, Struct, zero_is_none
from apigen.ir.types import (
    STRING,
    EnumType,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    WellKnown,
    WellKnownType,
    is_text,
    underlying,
)

_BY_FUNCTION: Mapping[Scalar | WellKnown, str] = {
    Scalar.INT32: "encode_int32",
    Scalar.INT64: "encode_int64",
    Scalar.UINT32: "encode_uint32",
    Scalar.UINT64: "encode_uint64",
    Scalar.FLOAT32: "encode_float32",
    Scalar.FLOAT64: "encode_float64",
    Scalar.BYTES: "encode_bytes",
    WellKnown.TIME: "encode_time",
    WellKnown.MICRO_TIME: "encode_micro_time",
    WellKnown.DURATION: "encode_duration",
    WellKnown.QUANTITY: "encode_quantity",
    WellKnown.INT_OR_STRING: "encode_int_or_string",
    WellKnown.RAW_EXTENSION: "encode_raw_extension",
    WellKnown.FIELDS_V1: "encode_fields_v1",
}
"""The functions of the runtime that check values of a type, and return their JSON."""

_USUAL = 1_000_000_000
"""Integers below fit any integer type, and Python compares them with this faster than with larger ones."""

_OWN_NAMES = ("data", "elements", "items", "sorted_entries", "sorted_keys", "unfit_object", *_BY_FUNCTION.values())
"""Names that variables of elements must not have."""


def encode_struct(struct: Struct, names: Names) -> Code:
    """Return the body that writes a struct: one dict display for all fields before the first optional one, then one
    statement each.
    """
    code = _body(names)
    class_name = names.imports.type_name(struct.id)
    with code.block(f"if type(obj) is not {class_name}:"):
        code.line(f"raise {names.runtime('unfit_object')}({class_name}, obj)")
    leading = _leading(struct, names)
    display = ", ".join(pair(text_literal(f.json_name), _always(f, names), 8) for f in leading)
    rest = struct.fields[len(leading) :]
    if not rest and not struct.has_type_meta:
        code.line(f"return {{{display}}}")
        return code
    code.line(f"data: dict[str, object] = {{{display}}}")
    if struct.has_type_meta:
        for json_name, attribute in TYPE_META:
            value = f"obj.{attribute}"
            with code.block(f'if {value} != "":'):
                code.line(f"data[{text_literal(json_name)}] = {_write(STRING, value, names)}")
    if any(_is_loop(field, names) for field in rest):
        code.line("items: list[object]")
    variables = ItemVariables("encode", _OWN_NAMES)
    for field in rest:
        _member(code, field, names, variables)
    code.line("return data")
    return code


def encode_alias(alias: Alias, names: Names) -> Code:
    """The body that writes a named list or map."""
    code = _body(names)
    code.line(f"return {_write(alias.target, 'obj', names)}")
    return code


def _body(names: Names) -> Code:
    code = Code()
    if names.counts_depth:
        code.line(f"{names.imports.runtime('check_nesting', 'wire_writing')}(depth)")
    return code


def json_annotation(type_: Struct | Alias) -> str:
    """Return the result type of the function of a type."""
    is_list = isinstance(type_, Alias) and isinstance(underlying(type_.target), ListType)
    return "list[object]" if is_list else "dict[str, object]"


def _leading(struct: Struct, names: Names) -> tuple[Field, ...]:
    """Return the fields for a dict display: those before the first conditional one; after the members of kinds, none."""
    if struct.has_type_meta:
        return ()
    return tuple(takewhile(lambda field: _is_always_written(field) and not _takes_loop(field, names), struct.fields))


def _is_always_written(field: Field) -> bool:
    """Return whether a field is in JSON whatever its value."""
    return field.presence in (Presence.PLAIN, Presence.NULLABLE)


def _member(code: Code, field: Field, names: Names, variables: ItemVariables) -> None:
    store = f"data[{text_literal(field.json_name)}]"
    if _is_always_written(field) and not _takes_loop(field, names):
        code.line(f"{store} = {_always(field, names)}")
        return
    if _is_always_written(field):
        code.line(f"{store} = None")
    with code.block(f"if {_is_written(field, names)}:"):
        item, value = _struct_item(field.type), f"obj.{field.py_name}"
        if underlying(field.type) == ScalarType(Scalar.BOOL):  # type checkers know that it is True or wrong here
            code.line(f"{store} = {names.runtime('encode_bool')}({value})")
        elif item is None:
            code.line(f"{store} = {_write(field.type, value, names)}")
        else:
            variable = variables.of(item)
            is_checked = field.presence is Presence.OMIT_EMPTY
            elements = value if is_checked else f"{names.runtime('elements')}({value})"
            write_list(code, elements, variable, _write_item(item, variable, names, 1), store, "items")


def _is_loop(field: Field, names: Names) -> bool:
    """Return whether `_member` writes a loop for a field."""
    in_place = _is_always_written(field) and not _takes_loop(field, names)
    return not in_place and _struct_item(field.type) is not None


def _struct_item(type_: Type) -> Type | None:
    """Return the item type of a list of structs that is written inline; None for other types."""
    behind = underlying(type_)
    if called(type_) is not None or not isinstance(behind, ListType):
        return None
    return behind.item if isinstance(underlying(behind.item), StructType) else None


def _takes_loop(field: Field, names: Names) -> bool:
    """Return whether a field that may be `None` has elements that must be written one by one."""
    written = _write(field.type, "", names) if field.can_be_none else ""
    return is_loop(written)


def _always(field: Field, names: Names) -> str:
    value = f"obj.{field.py_name}"
    return _write_or_null(field.type, value, names) if field.can_be_none else _write(field.type, value, names)


def _is_written(field: Field, names: Names) -> str:
    """Return a test whether a field is written: it is not `None`, or not zero if zero represents an unset value."""
    value = f"obj.{field.py_name}"
    if field.presence is not Presence.OMIT_EMPTY or zero_is_none(field.type):
        return f"{value} is not None"
    match underlying(field.type):
        case StructType() as struct:
            return f"{value} != {blank(struct, names.imports)}"
        case ListType():
            return f"{value} is not None and {value} > []"
        case MapType():
            return f"{value} is not None and {value} != {{}}"
        case ScalarType(Scalar.BYTES):
            return f'{value} is not None and {value} != b""'
        case ScalarType(Scalar.STRING) | EnumType():
            return f'{value} != ""'
        case ScalarType(Scalar.BOOL):
            return f"{value} is not False"
        case ScalarType(Scalar.FLOAT32 | Scalar.FLOAT64):
            return f"{value} or type({value}) not in (float, int)"
        case WellKnownType(WellKnown.DURATION):
            return f"type({value}) is not {names.runtime('Duration')} or {value}.nanoseconds"
        case WellKnownType(WellKnown.QUANTITY):
            return f"type({value}) is not {names.runtime('Quantity')} or {value}"
    return f"{value} or type({value}) is not int"


def _write(type_: Type, value: str, names: Names, depth: int = 0) -> str:
    """An expression for the JSON value of the expression `value`, which is not `None`."""
    function = called(type_)
    if function is not None:
        return f"{names.function('encode', function)}({value}{names.depth(function)})"
    match underlying(type_):
        case ListType(item):
            element = numbered("item", depth)
            if is_text(item) and not item_can_be_none(item):
                return f"{names.runtime('encode_strings')}({value})"
            inner = _write_item(item, element, names, depth + 1)
            return f"[{inner} for {element} in {names.runtime('elements')}({value})]"
        case MapType(_, item):
            key, element = numbered("key", depth), numbered("item", depth)
            if is_text(item) and not item_can_be_none(item):
                return f"{names.runtime('encode_string_map')}({value})"
            entries = f"{key}, {element} in {names.runtime('sorted_entries')}({value})"
            if not item_can_be_none(item):  # type checkers know of names only that they are not None
                element, entries = f"{value}[{key}]", f"{key} in {names.runtime('sorted_keys')}({value})"
            inner = _write_item(item, element, names, depth + 1)
            return f"{{{key}: {inner} for {entries}}}"
        case ScalarType(Scalar.INT32 | Scalar.INT64 as integer):
            checked = f"{names.runtime(_BY_FUNCTION[integer])}({value})"
            return f"{value} if type({value}) is int and -{_USUAL} < {value} < {_USUAL} else {checked}"
        case WellKnownType(kind) | ScalarType(kind) if kind in _BY_FUNCTION:
            return f"{names.runtime(_BY_FUNCTION[kind])}({value})"
        case ScalarType(Scalar.BOOL):
            return f"{value} is True or {names.runtime('encode_bool')}({value})"
    return f'{value} + ""'


def _write_item(type_: Type, value: str, names: Names, depth: int) -> str:
    return _write_or_null(type_, value, names, depth) if item_can_be_none(type_) else _write(type_, value, names, depth)


def _write_or_null(type_: Type, value: str, names: Names, depth: int = 0) -> str:
    return f"None if {value} is None else {alternative(_write(type_, value, names, depth))}"
