"""Writes the bodies of functions that read JSON: one assignment per field, in the order of the fields."""

from __future__ import annotations

from apigen.codegen.json_codec.values import TYPE_META, Names
from apigen.codegen.python.source_text import Code, text_literal
from apigen.codegen.python.zero import zero
from apigen.codegen.types.annotations import item_can_be_none
from apigen.codegen.types.backend import called
from apigen.ir.model import Alias, Struct
from apigen.ir.names import snake_case
from apigen.ir.types import (
    STRING,
    EnumType,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    Type,
    TypeId,
    WellKnownType,
    is_bytes,
    underlying,
)


def members_constant(struct: Struct) -> str:
    """Return the name of the constant with the members of a struct."""
    return f"_{struct.snake_name.upper()}_MEMBERS"


def member_literals(struct: Struct) -> tuple[str, ...]:
    """The entries of that constant, as `"podIPs": "pod_ips"`, in the order in which members are read."""
    type_meta = TYPE_META if struct.has_type_meta else ()
    members = (*type_meta, *((field.json_name, field.py_name) for field in struct.fields))
    return tuple(f"{text_literal(json_name)}: {text_literal(attribute)}" for json_name, attribute in members)


def decode_struct(struct: Struct, names: Names) -> Code:
    """The body that reads a struct: each attribute is set once, so that the first missing one is where reading failed."""
    class_name, members = names.imports.type_name(struct.id), members_constant(struct)
    code = _body(names)
    plain = f"value if type(value) is dict else {names.runtime('decode_object')}(value, path)"
    code.line(f"data: dict[str, object] = {plain}")
    code.line(f"obj = {names.runtime('new')}({class_name})")
    if struct.fields or struct.has_type_meta:
        with code.block("try:"):
            for json_name, attribute in TYPE_META if struct.has_type_meta else ():
                code.line(f"obj.{attribute} = {_value(STRING, json_name, names)}")
            for field in struct.fields:
                value = _value_or_none if field.can_be_none else _value
                code.line(f"obj.{field.py_name} = {value(field.type, field.json_name, names)}")
        with code.block(f"except {names.runtime('DecodeError')} as error:"):
            code.line(f"raise {names.runtime('located')}(error, path, obj, {members}) from None")
    with code.block("if unknown is not None:"):
        code.line(f"unknown.note(data, {members})")
    code.line("return obj")
    return code


def decode_alias(alias: Alias, names: Names) -> Code:
    """The body that reads a named list or map."""
    code = _body(names)
    code.line(f"return {_read_container(alias.target, 'value', names, path=', path')}")
    return code


def _body(names: Names) -> Code:
    code = Code()
    if names.counts_depth:
        code.line(f"{names.imports.runtime('check_depth', 'wire_reading')}(depth, path)")
    return code


def _value(type_: Type, json_name: str, names: Names) -> str:
    """Return an expression for a member: its zero value if it is absent; the reading function handles null."""
    name = text_literal(json_name)
    read = _read(type_, f"data[{name}]", names)
    if _scalar(type_) is Scalar.STRING:
        read = _string(type_, f"member := data[{name}]", names)
    elif is_bytes(type_):
        read = f'({read} or b"")'
    return f"{read} if {name} in data else {zero(type_, False, names.imports)}"


def _value_or_none(type_: Type, json_name: str, names: Names) -> str:
    """Return an expression for a member: `None` if it is absent or null."""
    name = text_literal(json_name)
    read = _string(type_, "member", names) if _scalar(type_) is Scalar.STRING else _read(type_, "member", names)
    return f"{read} if {name} in data and (member := data[{name}]) is not None else None"


def _string(type_: Type, member: str, names: Names) -> str:
    """An expression that reads a string, the most frequent type of all, so that it is checked in place."""
    return f"(member if type({member}) is str else {_read(type_, 'member', names)})"


def _read(type_: Type, value: str, names: Names) -> str:
    """An expression that reads the expression `value`; errors tell places below it."""
    function = called(type_)
    if function is not None:
        return f'{_function(function, names)}({value}, "", unknown{names.depth(function)})'
    if isinstance(underlying(type_), ListType | MapType):
        return _read_container(type_, value, names)
    return f"{_library_function(type_, names)}({value})"


def _read_container(type_: Type, value: str, names: Names, path: str = "") -> str:
    """Return an expression that reads a list or map; `path` is the argument with its path in the object, if that is
    known.
    """
    behind = underlying(type_)
    is_list = isinstance(behind, ListType)
    item = behind.item if isinstance(behind, ListType) else behind.value if isinstance(behind, MapType) else behind
    if _scalar(item) is Scalar.STRING:
        return f"{names.runtime('decode_strings' if is_list else 'decode_string_map')}({value}{path})"
    if _is_read_by_library(item):
        decode = names.runtime("decode_scalars" if is_list else "decode_scalar_map")
        return f"{decode}({value}, {_library_function(item, names)}{path})"
    decode = names.runtime("decode_items" if is_list else "decode_values")
    return f"{decode}({value}, {_item_function(item, names)}, unknown{path})"


def _item_function(item: Type, names: Names) -> str:
    """A function of an element, its path and `unknown`: that of its type, unless null or depth take more."""
    function = called(item)
    if function is not None and not item_can_be_none(item) and not names.depth(function):
        return _function(function, names)
    if function is None:
        return f"lambda item, path, unknown: {_read_container(item, 'item', names, path=', path')}"
    null = "None if item is None else " if item_can_be_none(item) else ""
    read = f"{_function(function, names)}(item, path, unknown{names.depth(function)})"
    return f"lambda item, path, unknown: {null}{read}"


def _is_read_by_library(type_: Type) -> bool:
    """Return whether functions of the run-time library read a type, without any of the generated ones."""
    if called(type_) is not None:
        return False
    behind = underlying(type_)
    if isinstance(behind, ListType):
        return _scalar(behind.item) is Scalar.STRING
    return not isinstance(behind, MapType) or _scalar(behind.value) is Scalar.STRING


def _library_function(type_: Type, names: Names) -> str:
    match underlying(type_):
        case ListType():
            return names.runtime("decode_strings")
        case MapType():
            return names.runtime("decode_string_map")
        case WellKnownType(known):
            return names.runtime(f"decode_{snake_case(known.value)}")
        case ScalarType(scalar):
            return names.runtime(f"decode_{scalar.value}")
    return names.runtime("decode_string")


def _function(id_: TypeId, names: Names) -> str:
    return names.function("decode", id_)


def _scalar(type_: Type) -> Scalar | None:
    """Return the scalar that represents a type in JSON, string for enums; None for other types."""
    behind = underlying(type_)
    if called(type_) is not None:
        return None
    if isinstance(behind, EnumType):
        return Scalar.STRING
    return behind.scalar if isinstance(behind, ScalarType) else None
