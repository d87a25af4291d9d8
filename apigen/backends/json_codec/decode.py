"""Writes the bodies of functions that read JSON: two lines per field."""

from __future__ import annotations

from apigen.backends.json_codec.values import TYPE_META, Names
from apigen.backends.types.annotations import item_can_be_none
from apigen.backends.types.functions import called, numbered
from apigen.dataclass import dataclass
from apigen.ir.model import Alias, Field, Struct
from apigen.ir.names import snake_case
from apigen.ir.types import (
    STRING,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    Type,
    WellKnown,
    WellKnownType,
    is_bytes,
    underlying,
)
from apigen.python.code import Code, text_literal

_EXACT = {Scalar.STRING: "str", Scalar.BOOL: "bool"}
"""Scalars of which every value of the Python type is good: they are checked in place."""

_DURATION = WellKnownType(WellKnown.DURATION)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands, as an f-string: `text` without its quotes, which are `quote`."""

    text: str
    quote: str = '"'

    def item(self, index: str) -> Place:
        """The element that a variable picks."""
        return Place(f"{self.text}[{{{index}}}]", self.quote)

    def __str__(self) -> str:
        return "path" if self.text == "{path}" else f"f{self.quote}{self.text}{self.quote}"


def member_place(json_name: str) -> Place:
    """The place of a member of the object at `at`."""
    literal = text_literal(json_name)
    return Place("{at}" + literal[1:-1].replace("{", "{{").replace("}", "}}"), literal[0])


def members_constant(struct: Struct) -> str:
    """The constant that holds the names of a struct's members."""
    return f"_{struct.snake_name.upper()}_MEMBERS"


def member_literals(struct: Struct) -> tuple[str, ...]:
    """The names of a struct's members, as literals."""
    type_meta = [name for name, _ in TYPE_META] if struct.has_type_meta else []
    return tuple(text_literal(name) for name in (*type_meta, *(f.json_name for f in struct.fields)))


def decode_struct(struct: Struct, names: Names) -> Code:
    """The body that reads a struct: it starts from the zero value, and takes what is there and not null."""
    class_name = names.imports.type_name(struct.id)
    code = _body(names)
    code.line(f"data = {names.runtime('decode_object')}(value, path)")
    if struct.fields or struct.has_type_meta:
        code.line('at = f"{path}." if path else ""')
    if struct.has_type_meta:
        code.line(f'obj = {class_name}(api_version="", kind="")')
        for json_name, attribute in TYPE_META:
            _member(code, json_name, attribute, STRING, names)
    else:
        code.line(f"obj = {class_name}()")
    for field in struct.fields:
        if underlying(field.type) == _DURATION and not field.can_be_none:
            _duration(code, field, names)
        else:
            _member(code, field.json_name, field.py_name, field.type, names)
    with code.block("if unknown is not None:"):
        code.line(f"{names.runtime('note_unknown')}(data, {members_constant(struct)}, path, unknown)")
    code.line("return obj")
    return code


def decode_alias(alias: Alias, names: Names) -> Code:
    """The body that reads a named list or map."""
    code = _body(names)
    code.line(f"return {_read(alias.target, 'value', Place('{path}'), names)}")
    return code


def _body(names: Names) -> Code:
    code = Code()
    if names.counts_depth:
        code.line(f"{names.imports.runtime('check_depth', 'wire_reading')}(depth, path)")
    return code


def _member(code: Code, json_name: str, attribute: str, type_: Type, names: Names) -> None:
    with code.block(f"if (member := data.get({text_literal(json_name)})) is not None:"):
        empty = ' or b""' if is_bytes(type_) else ""
        code.line(f"obj.{attribute} = {_read(type_, 'member', member_place(json_name), names)}{empty}")


def _duration(code: Code, field: Field, names: Names) -> None:
    """Read a duration that is always there. For Kubernetes null is none: this is the one type that refuses it."""
    name = text_literal(field.json_name)
    with code.block(f"if {name} in data:"):
        code.line(f"obj.{field.py_name} = {_read(field.type, f'data[{name}]', member_place(field.json_name), names)}")


def _read(type_: Type, value: str, place: Place, names: Names, depth: int = 0) -> str:
    """An expression that reads the expression `value`, which is a variable where the type is checked in place."""
    function = called(type_)
    if function is not None:
        return f"{names.function('decode', function)}({value}, {place}, unknown{names.depth(function)})"
    match underlying(type_):
        case ListType(item):
            index, element = numbered("i", depth), numbered("item", depth)
            items = f"{names.runtime('decode_list')}({value}, {place})"
            inner = _read_item(item, element, place.item(index), names, depth + 1)
            return f"[{inner} for {index}, {element} in enumerate({items})]"
        case MapType(_, item):
            key, element = numbered("key", depth), numbered("item", depth)
            items = f"{names.runtime('decode_object')}({value}, {place}).items()"
            inner = _read_item(item, element, place.item(key), names, depth + 1)
            return f"{{{key}: {inner} for {key}, {element} in {items}}}"
        case WellKnownType(known):
            return f"{names.runtime(f'decode_{snake_case(known.value)}')}({value}, {place})"
        case ScalarType(scalar):
            return _read_scalar(scalar, value, place, names)
    return _read_scalar(Scalar.STRING, value, place, names)


def _read_scalar(scalar: Scalar, value: str, place: Place, names: Names) -> str:
    read = f"{names.runtime(f'decode_{scalar.value}')}({value}, {place})"
    return f"{value} if type({value}) is {_EXACT[scalar]} else {read}" if scalar in _EXACT else read


def _read_item(type_: Type, value: str, place: Place, names: Names, depth: int) -> str:
    read = _read(type_, value, place, names, depth)
    own_function = called(type_) is not None  # those of the run-time library make None of null themselves
    return f"None if {value} is None else {read}" if own_function and item_can_be_none(type_) else read
