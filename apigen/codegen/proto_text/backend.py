"""Writes the messages of each version as text for protoc: `<group>/<version>/types.proto`, and a file with shared
messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from textwrap import wrap

from apigen.codegen.backend_input import BackendInput, versions
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.protobuf_codec.messages import Label, Message, MessageField, messages_of
from apigen.codegen.python.source_text import HEADER
from apigen.codegen.rendering import render
from apigen.dataclass import dataclass
from apigen.ir.model import (
    Alias,
    Enum,
    EnumType,
    NamedType,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    WellKnownType,
)
from apigen.ir.names import is_identifier, package_name, proto_json_name
from apigen.ir.numbers import merged_ranges
from apigen.language.model import NumberRange

RUNTIME_FILE = "runtime/runtime.proto"
RUNTIME_PACKAGE = "apigen.runtime"
"""The file and the package of the well-known types."""


def file_of(group: str, version: str) -> str:
    """The file of a version, relative to the output folder, as other files import it."""
    return f"{package_name(group)}/{version}/types.proto"


def package_of(group: str, version: str) -> str:
    """The protobuf package of a version: the folder of the group, then the version, e.g. `things.example.com.v6`."""
    parts = (re.sub(r"\W", "_", part, flags=re.ASCII) for part in [*group.split("."), version])
    return ".".join(part if is_identifier(part) else f"_{part}" for part in parts)


def reserved(struct: Struct) -> Iterator[str]:
    """Yield the reservations of a message: its reserved numbers, the numbers of its tombstones, and the names of
    tombstones that no field has.
    """
    numbers = [NumberRange(t.number, t.number) for t in struct.tombstones if t.number is not None]
    ranges = merged_ranges([*numbers, *struct.reserved])
    if ranges:
        yield ", ".join(str(r.first) if r.first == r.last else f"{r.first} to {r.last}" for r in ranges)
    removed_names = {t.name for t in struct.tombstones if is_identifier(t.name)}
    names = sorted(removed_names.difference(f.protobuf_name for f in struct.own_fields))
    if names:
        yield ", ".join(f'"{name}"' for name in names)


def json_name_option(name: str, json_name: str) -> Iterator[str]:
    """`json_name = "…"` where protobuf would derive another JSON name than the field has."""
    if proto_json_name(name) != json_name and re.fullmatch(r"[\w$.-]+", json_name, re.ASCII):
        yield f'json_name = "{json_name}"'


def comment_lines(text: str) -> list[str]:
    """Text as comment lines. No character of it can end a comment or hide in it."""
    lines = text.strip().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [f"// {''.join(_escaped(c) for c in line)}".rstrip() for line in lines] if text.strip() else []


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_SCALARS = {Scalar.FLOAT32: "float", Scalar.FLOAT64: "double"}
"""The scalars that protobuf calls differently."""


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """The file of every version that has messages, and that of the well-known types."""
    for version in versions(backend_input):
        messages = messages_of(version.types)
        if messages and version.has_protobuf:
            file = _File(version.group, version.version, backend_input.api.types, set())
            texts = [file.message(message) for message in messages]
            text = render(
                "proto_text/file.proto.jinja",
                header=_HEADER,
                package=package_of(version.group, version.version),
                imports=sorted(file.imports),
                messages=texts,
            )
            yield text_file(file_of(version.group, version.version), text)
    yield text_file(RUNTIME_FILE, render("proto_text/runtime.proto.jinja", header=_HEADER, package=RUNTIME_PACKAGE))


_HEADER = comment_lines(HEADER.removeprefix("# "))[0]


@dataclass(slots=True)
class _File:
    """The file of one version; `imports` fills as its messages are written."""

    group: str
    version: str
    types: Mapping[TypeId, TypeDef]
    imports: set[str]

    def message(self, message: Message) -> dict[str, object]:
        """Return the values of the template for the message of a struct, or of a named list or map."""
        type_ = self.types[message.id]
        doc = comment_lines(type_.doc or "")
        match type_:
            case Struct():
                fields = [self._struct_field(f, type_) for f in message.fields]
                return {"doc": doc, "name": type_.id.name, "reserved": list(reserved(type_)), "fields": fields}
            case Alias():
                doc += comment_lines("In JSON, it is a plain list or map of its items.")
                fields = [self._field(f, [], "") for f in message.fields]
                return {"doc": doc, "name": type_.id.name, "reserved": [], "fields": fields}
        raise TypeError(f"{message.id} is no message")

    def _struct_field(self, field: MessageField, struct: Struct) -> dict[str, object]:
        source = struct.field(field.name) if field.inline is None else None
        if source is None:
            doc = comment_lines(f"In JSON, its fields are those of {struct.id.name} itself.")
            return self._field(field, doc, "")
        doc = comment_lines(source.doc or "") + self._known_values(field.type)
        options = ["deprecated = true"] if source.lifecycle.deprecated else []
        options += json_name_option(field.protobuf_name, source.json_name)
        return self._field(field, doc, ", ".join(options))

    def _field(self, field: MessageField, doc: list[str], options: str) -> dict[str, object]:
        type_ = self._type(field)
        return {"doc": doc, "type": type_, "name": field.protobuf_name, "number": field.number, "options": options}

    def _known_values(self, type_: Type) -> list[str]:
        enum = self.types[type_.id] if isinstance(type_, EnumType) else None
        if not isinstance(enum, Enum) or not enum.values:
            return []
        values = ", ".join(f'"{value.value}"' for value in enum.values)
        return comment_lines("\n".join(wrap(f"Known values: {values}.", 100)))

    def _type(self, field: MessageField) -> str:
        value = self._value_type(field.type)
        match field.label:
            case Label.REPEATED:
                return f"repeated {value}"
            case Label.MAP:
                return f"map<string, {value}>"
        return f"optional {value}"

    def _value_type(self, type_: Type) -> str:
        match type_:
            case ScalarType(scalar):
                return _SCALARS.get(scalar, scalar.value)
            case EnumType():
                return "string"
            case WellKnownType(known):
                self.imports.add(RUNTIME_FILE)
                return f".{RUNTIME_PACKAGE}.{known.value}"
            case StructType(id_) | NamedType(id_):
                return self._message_type(id_)
        raise TypeError(f"{type_} is no single value")

    def _message_type(self, id_: TypeId) -> str:
        is_here = (id_.group, id_.version) == (self.group, self.version)
        if is_here and not id_.name.endswith("Entry"):
            # protoc creates an …Entry message for every map, next to its field
            return id_.name
        if not is_here:
            self.imports.add(file_of(id_.group, id_.version))
        return f".{package_of(id_.group, id_.version)}.{id_.name}"
