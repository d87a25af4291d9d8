"""The encoding of single values: tags, and the expressions that write and read them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from apigen.codegen.protobuf_codec.messages import Label, MessageField
from apigen.codegen.python.source_text import Code, Imports
from apigen.dataclass import dataclass
from apigen.ir.model import TypeDef
from apigen.ir.names import snake_case
from apigen.ir.types import NamedType, Scalar, ScalarType, StructType, Type, TypeId, WellKnownType, is_text

PRIMITIVES, READING, WRITING, WELL_KNOWN = "wire", "wire_reading", "wire_writing", "wire_wellknown"
"""Modules of the run-time library."""

CODEC = "protobuf_codec"


class WireType(IntEnum):
    """The wire types that we write."""

    VARINT = 0
    FIXED64 = 1
    LENGTH = 2
    FIXED32 = 5


def wire_type(type_: Type) -> WireType:
    """Return the wire type of a type (other than a list or map)."""
    match type_:
        case ScalarType(Scalar.FLOAT64):
            return WireType.FIXED64
        case ScalarType(Scalar.FLOAT32):
            return WireType.FIXED32
        case ScalarType(Scalar.STRING | Scalar.BYTES):
            return WireType.LENGTH
        case ScalarType():
            return WireType.VARINT
    return WireType.LENGTH


def field_tag(field: MessageField) -> int:
    """The tag with which a field is written."""
    wire = wire_type(field.type) if field.label is not Label.MAP else WireType.LENGTH
    return field.number << 3 | wire


def packed_tag(field: MessageField) -> int | None:
    """Return the tag of the packed form of a list, which other writers may use; None for types that cannot be packed."""
    if field.label is Label.REPEATED and wire_type(field.type) is not WireType.LENGTH:
        return field.number << 3 | WireType.LENGTH
    return None


def encoded_tag(tag: int) -> bytes:
    """Return a tag as encoded on the wire."""
    encoded = []
    while tag > 127:
        encoded.append(tag & 127 | 128)
        tag >>= 7
    return bytes([*encoded, tag])


def tag_literal(tag: int, after: int | None = None) -> str:
    """Return the encoded tag, and optionally one more byte, as escapes for use within quotes."""
    encoded = encoded_tag(tag) if after is None else bytes([*encoded_tag(tag), after])
    return "".join(f"\\x{byte:02x}" for byte in encoded)


@dataclass(frozen=True, slots=True)
class Values:
    """Write expressions of values for the functions of one module, with their imports.

    `recursive` are the types that may contain themselves; `in_recursive`: the current function is of one of them, and
    counts its depth.
    """

    imports: Imports
    types: Mapping[TypeId, TypeDef]
    recursive: frozenset[TypeId]
    in_recursive: bool = False

    def reading(self, name: str) -> str:
        """A function of the run-time library that reads."""
        return self.imports.runtime(name, READING)

    def writing(self, name: str) -> str:
        """A function of the run-time library that writes."""
        return self.imports.runtime(name, WRITING)

    def function(self, verb: str, id_: TypeId) -> str:
        """A function of the codec of a type, e.g. `encode_object_meta`."""
        return self.imports.function(id_, CODEC, f"{verb}_{self.types[id_].snake_name}")

    def part(self, type_: Type, number: int, place: str, name: str) -> tuple[str, str]:
        """Return the expression to assign to variable `name`, and the literal of field `number` that uses it for the
        value at `place`.

        The expression is empty if the literal does not need the variable.
        """
        tag = number << 3 | wire_type(type_)
        if type_ == ScalarType(Scalar.BOOL):
            return self._bool(place, "\\x01", "\\x00"), f'f"{tag_literal(tag)}{{{name}}}"'
        if wire_type(type_) is not WireType.LENGTH:
            return "", self.number_field(type_, number, place)
        written = self._text(place) if is_text(type_) else self._written(type_, place)
        return written, self.with_size(tag, name)

    def write(self, code: Code, type_: Type, number: int, value: str) -> None:
        """Write the statement that adds field `number` with `value` to `out`."""
        tag = number << 3 | wire_type(type_)
        if wire_type(type_) is not WireType.LENGTH:
            code.line(f"out += {self.number_field(type_, number, value)}")
        elif is_text(type_):
            code.line(f"text = {self._text(value)}")
            code.line(f"out += {self.with_size(tag, 'text')}")
        else:
            code.line(f"body = {self._written(type_, value)}")
            self.write_body(code, tag)

    def write_body(self, code: Code, tag: int) -> None:
        """Write the statement that adds a field with `body` to `out`."""
        code.line(f"out += {self.with_size(tag, 'body')}")

    def number_field(self, type_: Type, number: int, value: str) -> str:
        """Field `number` with a boolean or a number."""
        tag = number << 3 | wire_type(type_)
        match type_:
            case ScalarType(Scalar.BOOL):
                return self._bool(value, tag_literal(tag, 1), tag_literal(tag, 0))
            case ScalarType(Scalar.FLOAT32 | Scalar.FLOAT64 as scalar):
                return f'f"{tag_literal(tag)}{{{self.writing(scalar.value)}({value})}}"'
            case ScalarType(scalar):
                integer = f"{value} if type({value}) is int else {self.writing('integer')}({value})"
                return f'f"{tag_literal(tag)}{{{self.imports.runtime(scalar.value.upper(), PRIMITIVES)}[{integer}]}}"'
        raise TypeError(f"{type_} is no number")

    def entry_value(self, type_: Type, value: str) -> str:
        """The value of a map's entry, field 2."""
        wire = wire_type(type_)
        if wire is not WireType.LENGTH:
            return self.number_field(type_, 2, value)
        return f'{self.writing("delimited")}("{tag_literal(2 << 3 | wire)}", {self._written(type_, value)})'

    def _written(self, type_: Type, value: str) -> str:
        return f"{self.writer(type_)}({value}{self.depth_of(type_)})"

    def depth_of(self, type_: Type) -> str:
        """The argument that counts how deep a type is nested in itself, for its writer."""
        return self.depth(type_.id) if isinstance(type_, StructType | NamedType) else ""

    def writer(self, type_: Type) -> str:
        """The function that writes text, bytes or a message, a character for each byte."""
        match type_:
            case ScalarType(Scalar.BYTES):
                return self.writing("raw")
            case WellKnownType(known):
                return self.imports.runtime(f"write_{snake_case(known.value)}", WELL_KNOWN)
            case StructType(id_) | NamedType(id_):
                return self.function("write", id_)
        return self.writing("utf8")

    def _text(self, value: str) -> str:
        """Return the expression of a string in UTF-8; `str.isascii` raises TypeError for other values, such as bytes."""
        return f"{value} if str.isascii({value}) else {self.writing('utf8')}({value})"

    def _bool(self, value: str, true: str, false: str) -> str:
        """Return the expression for a boolean; the last one of the expressions checks its type."""
        return (
            f'"{true}" if {value} is True else ("{false}" if {value} is False else {self.writing("boolean")}({value}))'
        )

    def with_size(self, tag: int, name: str) -> str:
        """The literal of a field with the text, bytes or message in a variable."""
        return f'f"{tag_literal(tag)}{{{self.imports.runtime("SIZES", PRIMITIVES)}[len({name})]}}{{{name}}}"'

    def read(self, type_: Type, path: str = "") -> str:
        """Return the value that was read as `number` or `body`, unless it is a string; `path` is the expression of its place in a
        list or map.
        """
        match type_:
            case ScalarType(Scalar.BYTES):
                return "body"
            case ScalarType(Scalar.BOOL):
                return "number != 0"
            case ScalarType(Scalar.UINT64):
                return "number"
            case ScalarType(Scalar.FLOAT32 | Scalar.FLOAT64 as scalar):
                return f"{self.imports.runtime(f'to_{scalar.value}', PRIMITIVES)}(body)"
            case ScalarType(scalar):
                return f"number if number < 128 else {self.imports.runtime(f'to_{scalar.value}', PRIMITIVES)}(number)"
        return self._read_message(type_, path)

    def depth(self, id_: TypeId) -> str:
        """Return the argument that counts the nesting of a recursive type; empty for other types."""
        return ", depth=depth + 1" if self.in_recursive and id_ in self.recursive else ""

    def _read_message(self, type_: Type, path: str) -> str:
        arguments = f"body, {path}" if path else "body"
        match type_:
            case WellKnownType(known):
                return f"{self.imports.runtime(f'decode_{snake_case(known.value)}', WELL_KNOWN)}({arguments})"
            case StructType(id_) | NamedType(id_):
                return f"{self.function('decode', id_)}({arguments}{self.depth(id_)})"
        raise TypeError(f"{type_} is no single value")
