"""How single values look on the wire: tags, and the expressions that write and read them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from apigen.backends.protobuf_codec.messages import Label, MessageField
from apigen.dataclass import dataclass
from apigen.ir.model import TypeDef
from apigen.ir.names import snake_case
from apigen.ir.types import EnumType, NamedType, Scalar, ScalarType, StructType, Type, TypeId, WellKnownType
from apigen.python.code import Code
from apigen.python.modules import Imports

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
    """How a value of a type (not a list or map) is written."""
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
    """The tag of the packed form of a list, which others may write; None where there is none."""
    if field.label is Label.REPEATED and wire_type(field.type) is not WireType.LENGTH:
        return field.number << 3 | WireType.LENGTH
    return None


def encoded_tag(tag: int) -> bytes:
    """A tag as it stands on the wire."""
    encoded = []
    while tag > 127:
        encoded.append(tag & 127 | 128)
        tag >>= 7
    return bytes([*encoded, tag])


def tag_literal(tag: int, after: int | None = None) -> str:
    """A tag as it stands on the wire, with one more byte after it if there is one."""
    encoded = [*encoded_tag(tag)] if after is None else [*encoded_tag(tag), after]
    digits = "".join(f"\\x{byte:02x}" for byte in encoded)
    return f'b"{digits}"'


@dataclass(frozen=True, slots=True)
class Values:
    """Spells values for the functions of one module, and imports what that takes.

    `recursive` are the types that may contain themselves; `in_recursive` says whether the function that is written
    is of one of them, and so counts how deep it is.
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

    def write(self, code: Code, type_: Type, number: int, value: str) -> None:
        """Add what appends field `number` with `value` to `out`."""
        tag = number << 3 | wire_type(type_)
        match type_:
            case ScalarType(Scalar.STRING) | EnumType():
                with code.block(f"if text := {value}.encode():"):
                    self.write_text(code, tag)
                with code.block("else:"):
                    code.line(f"out.append({tag_literal(tag, 0)})")
            case ScalarType(Scalar.BYTES):
                code.line(f"body = {value}")
                self.write_body(code, tag)
            case ScalarType():
                code.line(f"out.append({self.number_field(type_, number, value)})")
            case _:
                code.line(f"body = {self.encoder(type_)}({value})")
                self.write_body(code, tag)

    def write_text(self, code: Code, tag: int) -> None:
        """Add what appends a field with the bytes `text`."""
        code.line(f"out += ({tag_literal(tag)}, {self._size('text')}, text)")

    def write_body(self, code: Code, tag: int) -> None:
        """Add what appends a field with the bytes `body`."""
        code.line(f"out += ({tag_literal(tag)}, {self._size('body')}, body)")

    def number_field(self, type_: Type, number: int, value: str) -> str:
        """Field `number` with a truth value or a number."""
        tag = number << 3 | wire_type(type_)
        match type_:
            case ScalarType(Scalar.BOOL):
                return f"{tag_literal(tag, 1)} if {value} else {tag_literal(tag, 0)}"
            case ScalarType(Scalar.FLOAT32 | Scalar.FLOAT64 as scalar):
                return f"{tag_literal(tag)} + {self.imports.runtime(f'encode_{scalar.value}', PRIMITIVES)}({value})"
            case ScalarType(scalar):
                return f"{tag_literal(tag)} + {self.imports.runtime(scalar.value.upper(), PRIMITIVES)}[{value}]"
        raise TypeError(f"{type_} is no number")

    def entry_value(self, type_: Type, value: str) -> str:
        """The value of a map's entry, field 2."""
        wire = wire_type(type_)
        if wire is not WireType.LENGTH:
            return self.number_field(type_, 2, value)
        encoded = value if isinstance(type_, ScalarType) else f"{self.encoder(type_)}({value})"
        return f"{tag_literal(2 << 3 | wire)} + {self.imports.runtime('delimited', PRIMITIVES)}({encoded})"

    def encoder(self, type_: Type) -> str:
        """The function that writes a message."""
        match type_:
            case WellKnownType(known):
                return self.imports.runtime(f"encode_{snake_case(known.value)}", WELL_KNOWN)
            case StructType(id_) | NamedType(id_):
                return self.function("encode", id_)
        raise TypeError(f"{type_} is no message")

    def _size(self, name: str) -> str:
        return f"{self.imports.runtime('SIZES', PRIMITIVES)}[len({name})]"

    def read(self, type_: Type, path: str = "") -> str:
        """The value that was read as `number` or `body`, if it is no text; `path` is the expression of its place in a list or map."""
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
        """The argument that counts how deep a type is nested in itself, where it may be."""
        return ", depth=depth + 1" if self.in_recursive and id_ in self.recursive else ""

    def _read_message(self, type_: Type, path: str) -> str:
        arguments = f"body, {path}" if path else "body"
        match type_:
            case WellKnownType(known):
                return f"{self.imports.runtime(f'decode_{snake_case(known.value)}', WELL_KNOWN)}({arguments})"
            case StructType(id_) | NamedType(id_):
                return f"{self.function('decode', id_)}({arguments}{self.depth(id_)})"
        raise TypeError(f"{type_} is no single value")
