"""Writes the messages of each version as text for protoc: `<group>/<version>/types.proto`, and what they share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap

from apigen.backends.proto_text.names import (
    RUNTIME_FILE,
    RUNTIME_PACKAGE,
    comment_lines,
    file_of,
    json_name_option,
    package_of,
    reserved,
)
from apigen.backends.protobuf_codec.messages import Label, Message, MessageField, messages_of
from apigen.backends.rendering import render
from apigen.backends.types.by_version import VersionTypes, versions
from apigen.compilation import Compilation
from apigen.dataclass import dataclass
from apigen.emit.output import OutputFile, nonempty_file, text_file
from apigen.ir.model import Alias, Enum, Struct, TypeDef
from apigen.ir.types import EnumType, NamedType, Scalar, ScalarType, StructType, Type, TypeId, WellKnownType
from apigen.python.modules import HEADER

_SCALARS = {Scalar.FLOAT32: "float", Scalar.FLOAT64: "double"}
"""The scalars that protobuf calls differently."""


@dataclass(frozen=True, slots=True)
class FieldText:
    """A field; `type` is its type with the label before it, `options` may be empty."""

    doc: list[str]
    type: str
    name: str
    number: int
    options: str


@dataclass(frozen=True, slots=True)
class MessageText:
    """A message; each of `reserved` is a list of numbers or of names."""

    doc: list[str]
    name: str
    reserved: list[str]
    fields: list[FieldText]


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """The file of every version that has messages, and that of the well-known types."""
    for version in versions(compilation):
        messages = messages_of(version.types)
        if messages:
            path = file_of(version.group, version.version)
            yield from nonempty_file(path, _file_text(version, messages, compilation))
    yield text_file(RUNTIME_FILE, render("proto_text/runtime.proto.jinja", header=_HEADER, package=RUNTIME_PACKAGE))


def _file_text(version: VersionTypes, messages: tuple[Message, ...], compilation: Compilation) -> str:
    file = _File(version.group, version.version, compilation.api.types, set())
    texts = [file.message(message) for message in messages]
    return render(
        "proto_text/file.proto.jinja",
        header=_HEADER,
        package=package_of(version.group, version.version),
        imports=sorted(file.imports),
        messages=texts,
    )


_HEADER = comment_lines(HEADER.removeprefix("# "))[0]


@dataclass(slots=True)
class _File:
    """The file of one version; `imports` fills as its messages are written."""

    group: str
    version: str
    types: Mapping[TypeId, TypeDef]
    imports: set[str]

    def message(self, message: Message) -> MessageText:
        """The text of the message of a struct, or of a named list or map."""
        type_ = self.types[message.id]
        doc = comment_lines(type_.doc or "")
        match type_:
            case Struct():
                fields = [self._struct_field(f, type_) for f in message.fields]
                return MessageText(doc, type_.id.name, list(reserved(type_)), fields)
            case Alias():
                doc += comment_lines("In JSON, its items stand without anything around them.")
                fields = [FieldText([], self._type(f), f.protobuf_name, f.number, "") for f in message.fields]
                return MessageText(doc, type_.id.name, [], fields)
        raise TypeError(f"{message.id} is no message")

    def _struct_field(self, field: MessageField, struct: Struct) -> FieldText:
        source = struct.field(field.name) if field.inline is None else None
        if source is None:
            doc = comment_lines(f"In JSON, its fields are those of {struct.id.name} itself.")
            return FieldText(doc, self._type(field), field.protobuf_name, field.number, "")
        doc = comment_lines(source.doc or "") + self._known_values(field.type)
        options = ["deprecated = true"] if source.lifecycle.deprecated else []
        options += json_name_option(field.protobuf_name, source.json_name)
        return FieldText(doc, self._type(field), field.protobuf_name, field.number, ", ".join(options))

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
        if is_here and not id_.name.endswith("Entry"):  # protoc makes an …Entry of every map, next to its field
            return id_.name
        if not is_here:
            self.imports.add(file_of(id_.group, id_.version))
        return f".{package_of(id_.group, id_.version)}.{id_.name}"
