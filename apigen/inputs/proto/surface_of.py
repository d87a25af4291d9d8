"""Convert protobuf files to a surface: messages, enums, fields, services and extensions, with their positions, their
options as text, and the features of protobuf's editions.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, cast

from google.protobuf import message_factory, text_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    EnumValueDescriptorProto,
    FeatureSet,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
    ServiceDescriptorProto,
    SourceCodeInfo,
)
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.inputs.proto.reading import character
from apigen.ir.model import Lifecycle, Presence
from apigen.ir.names import proto_json_name
from apigen.ir.surface import (
    Default,
    Enum,
    EnumValue,
    Field,
    Group,
    ListOf,
    MapOf,
    Method,
    Named,
    Scalar,
    Scalars,
    Service,
    Slot,
    SourceFile,
    Struct,
    Surface,
    Tombstone,
    Type,
    TypeDef,
    TypeName,
    Union,
    Unread,
    Version,
)
from apigen.language.model import NumberRange

TreePath = tuple[int, ...]
"""A part of a file, as descriptors number it: fields of descriptor.proto and positions in them, in turns."""


class Positions:
    """The positions of a file. `display_path` is its displayed name; `lines` its text, empty if unavailable."""

    def __init__(self, file: FileDescriptorProto, display_path: str, lines: Sequence[str] = ()) -> None:
        self.display_path = display_path
        self._lines = lines
        self._locations: dict[TreePath, SourceCodeInfo.Location] = {}
        for location in file.source_code_info.location:
            self._locations.setdefault(tuple(location.path), location)

    def at(self, *path: int) -> Place:
        """Return the location of a part, or that of the nearest part around it with a known one."""
        while path:
            location = self._locations.get(path)
            if location is not None and len(location.span) > 2:
                line, column = location.span[0], location.span[1]
                text = self._lines[line] if line < len(self._lines) else ""
                return Place(self.display_path, line + 1, character(text, column) + 1)
            path = path[:-1]
        return Place(self.display_path)

    def doc(self, *path: int) -> str | None:
        """The comment before a part, or behind it."""
        location = self._locations.get(path)
        if location is None:
            return None
        text: str | bytes = location.leading_comments or location.trailing_comments
        if isinstance(text, bytes):  # what the library gives for text that is no UTF-8
            text = text.decode("utf-8", "replace")
        return "\n".join(line.strip() for line in text.strip().splitlines()) or None


@dataclass(frozen=True, slots=True)
class Features:
    """The features that affect the encoding, each by the name of its value in `google.protobuf.FeatureSet`."""

    field_presence: str
    enum_type: str
    repeated_field_encoding: str
    utf8_validation: str
    message_encoding: str
    json_format: str

    def inside(self, own: FeatureSet) -> Features:
        """Return the features of a nested element; `own` are those in its options."""
        if not own.ByteSize():
            return self
        names = [each.name for each, _ in own.ListFields() if each.name in Features.__match_args__]
        return replace(self, **{name: _word(own, name) for name in names})


_PROTO2 = Features("EXPLICIT", "CLOSED", "EXPANDED", "NONE", "LENGTH_PREFIXED", "LEGACY_BEST_EFFORT")
_PROTO3 = Features("IMPLICIT", "OPEN", "PACKED", "VERIFY", "LENGTH_PREFIXED", "ALLOW")
_EDITIONS = Features("EXPLICIT", "OPEN", "PACKED", "VERIFY", "LENGTH_PREFIXED", "ALLOW")


def _word(features: FeatureSet, name: str) -> str:
    kind = FeatureSet.DESCRIPTOR.fields_by_name[name].enum_type
    number: int = getattr(features, name)
    known = None if kind is None else kind.values_by_number.get(number)
    return str(number) if known is None else known.name


_ELSEWHERE = {"features", "deprecated", "packed", "map_entry", "uninterpreted_option"}
"""Options that are read into something else than an option."""

_FEATURES = ".google.protobuf.FeatureSet"


@dataclass(slots=True)
class Options:
    """The options of an element, by name, with their places."""

    values: dict[str, str] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)

    def add(self, name: str, value: str, place: Place) -> None:
        """Add one."""
        self.values[name] = value
        self.places[name] = place

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return all options, sorted by name."""
        return tuple(sorted(self.values.items()))


class Symbols:
    """The messages and enums of some files, by their full name with a dot before it, and the custom options (extensions
    of option messages) that they declare, by message and number.

    `files` must be sorted: imported files first.
    """

    def __init__(self, files: list[FileDescriptorProto]) -> None:
        self._files = files
        self.maps: dict[str, DescriptorProto] = {}
        self.first_values: dict[str, str] = {}
        self._names: dict[str, TypeName] = {}
        self._options: dict[tuple[str, int], tuple[str, str]] = {}
        for file in files:
            scope = f".{file.package}" if file.package else ""
            self._add(file, file.message_type, scope, TypeName(*split_package(file.package), ""))

    def _add(
        self,
        around: FileDescriptorProto | DescriptorProto,
        messages: Iterable[DescriptorProto],
        scope: str,
        outer: TypeName,
    ) -> None:
        """Add the parts of a file or message, whose full name is `scope`."""
        for each in around.extension:
            kind = each.type_name if each.type == FieldDescriptorProto.TYPE_MESSAGE else ""
            self._options[each.extendee, each.number] = f"{scope}.{each.name}".lstrip("."), kind
        for enum in around.enum_type:
            self._names[f"{scope}.{enum.name}"] = _inner(outer, enum.name)
            self.first_values[f"{scope}.{enum.name}"] = enum.value[0].name if enum.value else ""
        for message in messages:
            full, name = f"{scope}.{message.name}", _inner(outer, message.name)
            self._names[full] = name
            if message.options.map_entry:
                self.maps[full] = message
            self._add(message, message.nested_type, full, name)

    def type_name(self, full: str) -> TypeName:
        """Return the name of a type. The package of an unknown type is determined by convention: type names begin with a capital
        letter.
        """
        found = self._names.get(full)
        if found is not None:
            return found
        parts = full.lstrip(".").split(".")
        at = next((index for index, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
        return TypeName(*split_package(".".join(parts[:at])), ".".join(parts[at:]))

    def option_name(self, extendee: str, number: int) -> str:
        """The name of an option in brackets, as sources write it; by its number where no file declares it."""
        return f"({self._options.get((extendee, number), (number,))[0]})"

    def option_message(self, extendee: str, number: int, data: bytes) -> str | None:
        """Return the value of an option that is a message, in one line of the text format, or `None` for other options."""
        _, type_name = self._options.get((extendee, number), ("", ""))
        if not type_name:
            return None
        try:
            kind = message_factory.GetMessageClass(self._pool.FindMessageTypeByName(type_name.lstrip(".")))
            return text_format.MessageToString(kind.FromString(data), as_one_line=True, as_utf8=True)
        except (KeyError, TypeError, ValueError, DecodeError):
            return None

    @cached_property
    def _pool(self) -> DescriptorPool:
        """Return the types of all files, without files that refer to missing types."""
        pool = DescriptorPool()
        for file in self._files:
            with suppress(TypeError, ValueError):
                pool.AddSerializedFile(file.SerializeToString())
        return pool


def read_options(message: Message, path: TreePath, positions: Positions, symbols: Symbols) -> Options:
    """Return options. `path` is that of the options; an option without a location has that of its element."""
    options = Options()
    if not message.ByteSize():
        return options
    for descriptor, value in message.ListFields():
        if descriptor.name == "features":
            inner = _custom(value, _FEATURES, symbols)
            place = positions.at(*path, descriptor.number)
            for _, name, text in inner:
                options.add(f"features.{name}", text, place)
        elif not descriptor.is_extension and descriptor.name not in _ELSEWHERE:
            options.add(descriptor.name, _text(descriptor, value), positions.at(*path, descriptor.number))
    for number, name, text in _custom(message, f".{message.DESCRIPTOR.full_name}", symbols):
        options.add(name, text, positions.at(*path, number))
    return options


def _text(descriptor: FieldDescriptor, value: object) -> str:
    values = list(value) if isinstance(value, (list, tuple)) or hasattr(value, "append") else [value]  # type: ignore[call-overload]
    return ", ".join(_value_text(descriptor, each) for each in values)


def _value_text(descriptor: FieldDescriptor, value: object) -> str:
    if descriptor.enum_type is not None and isinstance(value, int):
        known = descriptor.enum_type.values_by_number.get(value)
        return str(value) if known is None else known.name
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else str(value).strip()


def _custom(message: Message, extendee: str, symbols: Symbols) -> Iterator[tuple[int, str, str]]:
    """Options without a name in this library, as encoded: number, name, text."""
    found: dict[int, list[str]] = {}
    # the library's stubs lack the attributes of its members
    for each in cast("Sequence[Any]", UnknownFieldSet(message)):
        data = each.data
        text = symbols.option_message(extendee, each.field_number, data) if isinstance(data, bytes) else None
        found.setdefault(each.field_number, []).append(_raw(data) if text is None else f"{{{text}}}")
    for number, texts in found.items():
        yield number, symbols.option_name(extendee, number), ", ".join(texts)


def _raw(data: object) -> str:
    if not isinstance(data, bytes):
        return str(data) if isinstance(data, int) else "a group"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return f"0x{data.hex()}"
    return json.dumps(text, ensure_ascii=False) if text.isprintable() else f"0x{data.hex()}"


_MAKE = "create it with protoc --include_imports --include_source_info --descriptor_set_out=FILE"


def decode_set(data: bytes, display_path: str, report: Report) -> list[FileDescriptorProto] | None:
    """Return the files of a descriptor set, or `None`, with AG1443, if it is not valid."""
    try:
        files = list(FileDescriptorSet.FromString(data).file)
    except DecodeError:
        files = []
    if not files or not all(file.name for file in files):
        report.error(
            "AG1443", Place(display_path), "this is not a descriptor set of protobuf, or it is empty", hint=_MAKE
        )
        return None
    broken = next((at for at, file in enumerate(files) if not _is_text(file)), None)
    if broken is not None:
        name: object = files[broken].name
        which = name if isinstance(name, str) else f"file {broken + 1}"
        message = f"{which} is broken: a name, a default or an option in it is not UTF-8"
        report.error("AG1443", Place(display_path), message, hint="write it in UTF-8")
        return None
    return files


def _is_text(file: FileDescriptorProto) -> bool:
    """Return whether all strings of a file except comments are UTF-8; the library returns other strings as bytes."""
    waiting: list[Message] = [file]
    while waiting:
        for descriptor, value in waiting.pop().ListFields():
            several = (value,) if isinstance(value, (str, bytes, Message)) else value
            if descriptor.type == descriptor.TYPE_STRING:
                if not all(isinstance(each, str) for each in several):
                    return False
            elif descriptor.message_type is not None and descriptor.name != "source_code_info":
                waiting.extend(cast("Iterable[Message]", several))
    return True


def is_consistent(files: list[FileDescriptorProto], display_path: str, report: Report) -> bool:
    """Return whether the files of a set are complete, and sorted so that each comes after its imports."""
    pool = DescriptorPool()
    for file in files:
        bare = FileDescriptorProto()
        bare.CopyFrom(file)
        bare.ClearField("source_code_info")
        try:
            pool.AddSerializedFile(bare.SerializeToString())
        except (TypeError, ValueError) as error:
            words = " ".join(str(error).split())
            report.error(
                "AG1443", Place(display_path), f"{file.name} in this descriptor set is broken: {words}", hint=_MAKE
            )
            return False
    return True


_VERSION = re.compile(r"v[1-9][0-9]*(?:(?:p[1-9][0-9]*)?(?:alpha|beta)[0-9]*|test.*)?")


def split_package(package: str) -> tuple[str, str]:
    """A package as group and version: `acme.things.v1` is `acme.things` and `v1`. Without a version it is the group."""
    group, _, last = package.rpartition(".")
    return (group, last) if _VERSION.fullmatch(last) else (package, "")


def _inner(outer: TypeName, name: str) -> TypeName:
    return outer._replace(name=f"{outer.name}.{name}".lstrip("."))


@dataclass(frozen=True, slots=True)
class Scope:
    """The file, the element around, and its features. `full` is the full name of that, of the package at first."""

    file: str
    full: str
    features: Features
    positions: Positions
    symbols: Symbols
    unread: list[Unread]
    path: TreePath = ()
    of: Descriptor = FileDescriptorProto.DESCRIPTOR
    """The descriptor of the element, whose fields are the parts of it."""

    def at(self, *part: str | int) -> Place:
        """Return the place of a part of the element: a field of its descriptor, its position in a list, and so on."""
        return self.positions.at(*self._part(part)[0])

    def options(self, message: Message, *part: str | int) -> Options:
        """Return the options of the element, or of a part of it."""
        return read_options(message, self._part((*part, "options"))[0], self.positions, self.symbols)

    def add_feature(self, options: Options, name: str) -> None:
        """Add a resolved feature."""
        options.add(name, getattr(self.features, name), self.at("options", "features", name))

    def doc(self, *part: str | int) -> str | None:
        """The comment of a part of the element."""
        return self.positions.doc(*self._part(part)[0])

    def inside(self, name: str, features: FeatureSet, *part: str | int) -> Scope:
        """The scope within a named part of the element."""
        full = f"{self.full}.{name}".lstrip(".")
        path, of = self._part(part)
        return replace(self, full=full, features=self.features.inside(features), path=path, of=of)

    def _part(self, part: tuple[str | int, ...]) -> tuple[TreePath, Descriptor]:
        path, of = [*self.path], self.of
        for step in part:
            if isinstance(step, str):
                field = of.fields_by_name[step]
                path.append(field.number)
                of = field.message_type or of
            else:
                path.append(step)
        return tuple(path), of


def read_enum(enum: EnumDescriptorProto, name: TypeName, scope: Scope) -> Enum:
    """An enum; the scope is within it. In JSON a value is its name, and an unknown name is rejected."""
    options = scope.options(enum.options)
    for feature in ("enum_type", "json_format"):
        scope.add_feature(options, feature)
    if enum.value:
        options.add("value of absence", str(enum.value[0].number), scope.at("value", 0))
    values = (_enum_value(value, index, scope) for index, value in enumerate(enum.value))
    return Enum(
        name=name,
        values={value.value: value for value in values},
        place=scope.at(),
        tombstones=tuple(_tombstones(enum, scope)),
        doc=scope.doc(),
        wire_name=scope.full,
        file=scope.file,
        options=options.pairs(),
        is_deprecated=enum.options.deprecated,
        places=options.places,
    )


def _enum_value(value: EnumValueDescriptorProto, index: int, scope: Scope) -> EnumValue:
    options = scope.options(value.options, "value", index)
    return EnumValue(
        value.name,
        scope.at("value", index),
        number=value.number,
        lifecycle=Lifecycle(is_deprecated=value.options.deprecated),
        doc=scope.doc("value", index),
        options=options.pairs(),
        places=options.places,
    )


def _tombstones(of: DescriptorProto | EnumDescriptorProto, scope: Scope) -> Iterator[Tombstone]:
    """Yield the reserved numbers and names. The end of a range belongs to it in enums, but not in messages."""
    is_enum = isinstance(of, EnumDescriptorProto)
    for index in range(len(of.reserved_range)):
        numbers = of.reserved_range[index]
        last = numbers.end if is_enum else numbers.end - 1
        yield Tombstone("", NumberRange(numbers.start, last), scope.at("reserved_range", index))
    for index, name in enumerate(of.reserved_name):
        yield Tombstone(name if is_enum else proto_json_name(name), None, scope.at("reserved_name", index))


_FLOATS = {FieldDescriptorProto.TYPE_FLOAT, FieldDescriptorProto.TYPE_DOUBLE}
_TEXTS = {FieldDescriptorProto.TYPE_STRING, FieldDescriptorProto.TYPE_ENUM}
_LARGEST = 2**53
_ESCAPE = re.compile(rb"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


def default_text(field: FieldDescriptorProto, first_value: str) -> str | None:
    """Return the declared default of a field as canonical JSON. None without one, or if it is the implicit default.

    `first_value` is that of the field's enum.
    """
    if not field.HasField("default_value"):
        return None
    declared = field.default_value
    if field.type == FieldDescriptorProto.TYPE_BYTES:
        return json.dumps(base64.b64encode(_ESCAPE.sub(_escape, declared.encode())).decode()) if declared else None
    if field.type in _TEXTS:
        return None if declared == first_value else json.dumps(declared, ensure_ascii=False)
    if field.type == FieldDescriptorProto.TYPE_BOOL:
        return "true" if declared == "true" else None
    return _number(declared, is_float=field.type in _FLOATS)


def _number(literal: str, *, is_float: bool) -> str | None:
    if not is_float:
        return literal if literal.strip("-0") else None
    value = float(literal)
    if math.isnan(value):
        return '"NaN"'
    if math.isinf(value):
        return '"Infinity"' if value > 0 else '"-Infinity"'
    if value.is_integer() and abs(value) < _LARGEST:
        return str(int(value)) if value or literal.startswith("-") else None
    return repr(value)


def _escape(match: re.Match[bytes]) -> bytes:
    escape = match[1]
    if escape[:1] == b"x" and len(escape) > 1:
        return bytes([int(escape[1:], 16)])
    if escape.isdigit():
        return bytes([int(escape, 8) & 0xFF])
    return _LETTERS.get(escape, escape)


_SCALARS = {
    FieldDescriptorProto.TYPE_DOUBLE: Scalars.FLOAT64,
    FieldDescriptorProto.TYPE_FLOAT: Scalars.FLOAT32,
    FieldDescriptorProto.TYPE_INT64: Scalars.INT64,
    FieldDescriptorProto.TYPE_UINT64: Scalars.UINT64,
    FieldDescriptorProto.TYPE_INT32: Scalars.INT32,
    FieldDescriptorProto.TYPE_FIXED64: Scalars.FIXED64,
    FieldDescriptorProto.TYPE_FIXED32: Scalars.FIXED32,
    FieldDescriptorProto.TYPE_BOOL: Scalars.BOOL,
    FieldDescriptorProto.TYPE_STRING: Scalars.STRING,
    FieldDescriptorProto.TYPE_BYTES: Scalars.BYTES,
    FieldDescriptorProto.TYPE_UINT32: Scalars.UINT32,
    FieldDescriptorProto.TYPE_SFIXED32: Scalars.SFIXED32,
    FieldDescriptorProto.TYPE_SFIXED64: Scalars.SFIXED64,
    FieldDescriptorProto.TYPE_SINT32: Scalars.SINT32,
    FieldDescriptorProto.TYPE_SINT64: Scalars.SINT64,
}
_NOT_PACKED = {
    FieldDescriptorProto.TYPE_STRING,
    FieldDescriptorProto.TYPE_BYTES,
    FieldDescriptorProto.TYPE_MESSAGE,
    FieldDescriptorProto.TYPE_GROUP,
}
_MESSAGES = {FieldDescriptorProto.TYPE_MESSAGE, FieldDescriptorProto.TYPE_GROUP}


def read_field(field: FieldDescriptorProto, scope: Scope, oneof: str = "") -> Field:
    """A field; the scope is within it. `oneof` is the one that it is a member of.

    A default of protobuf is the value that each reader uses for an unset field; no writer sets it. It has no effect on a
    required field.
    """
    features = scope.features
    options = scope.options(field.options)
    _wire_options(options, field, scope)
    required = field.label == FieldDescriptorProto.LABEL_REQUIRED or features.field_presence == "LEGACY_REQUIRED"
    default = None if required else default_text(field, scope.symbols.first_values.get(field.type_name, ""))
    place = scope.at()
    type_place = scope.at("type_name" if field.type_name else "type")
    slot = Slot(
        _type(field, scope, type_place),
        type_place,
        default=(
            None
            if default is None
            else Default(default, scope.at("default_value"), is_read_time=False, of_readers=True)
        ),
        doc=scope.doc(),
    )
    return Field(
        name=field.json_name or proto_json_name(field.name),
        slot=slot,
        place=place,
        presence=_presence(field, features, oneof),
        required=required,
        number=field.number,
        wire_name=field.name,
        lifecycle=Lifecycle(is_deprecated=field.options.deprecated),
        options=options.pairs(),
        oneof=oneof,
        places=options.places,
    )


def _type(field: FieldDescriptorProto, scope: Scope, place: Place) -> Type:
    entry = scope.symbols.maps.get(field.type_name)
    if entry is not None and field.label == FieldDescriptorProto.LABEL_REPEATED:
        key, value = (Slot(_single(part, scope), place) for part in sorted(entry.field, key=lambda part: part.number))
        return MapOf(key, value)
    single = _single(field, scope)
    return ListOf(Slot(single, place)) if field.label == FieldDescriptorProto.LABEL_REPEATED else single


def _single(field: FieldDescriptorProto, scope: Scope) -> Type:
    scalar = _SCALARS.get(field.type)
    return Named(scope.symbols.type_name(field.type_name)) if scalar is None else Scalar(scalar)


def _presence(field: FieldDescriptorProto, features: Features, oneof: str) -> Presence:
    """Return whether the field has explicit presence; without it, a zero value is omitted from bytes and JSON."""
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return Presence.OMIT_EMPTY
    has_bit = field.type in _MESSAGES or oneof or field.proto3_optional or features.field_presence != "IMPLICIT"
    return Presence.OPTIONAL if has_bit else Presence.OMIT_EMPTY


def _wire_options(options: Options, field: FieldDescriptorProto, scope: Scope) -> None:
    """The features that decide the field's bytes, whether they are written at it or not."""
    is_map = field.type_name in scope.symbols.maps
    if field.label == FieldDescriptorProto.LABEL_REPEATED and field.type not in _NOT_PACKED:
        packed = scope.features.repeated_field_encoding == "PACKED"
        packed = field.options.packed if field.options.HasField("packed") else packed
        options.add("packed", "true" if packed else "false", scope.at("options", "packed"))
    if field.type == FieldDescriptorProto.TYPE_STRING or any(
        part.type == FieldDescriptorProto.TYPE_STRING
        for part in (scope.symbols.maps[field.type_name].field if is_map else ())
    ):
        scope.add_feature(options, "utf8_validation")
    if field.type == FieldDescriptorProto.TYPE_GROUP:
        options.add("message_encoding", "DELIMITED", scope.at())
    elif field.type == FieldDescriptorProto.TYPE_MESSAGE and not is_map:
        scope.add_feature(options, "message_encoding")


_MAX = 2**29


@dataclass(frozen=True, slots=True)
class _Extension:
    extendee: str
    owner: TypeName
    field: Field


def read_message(message: DescriptorProto, name: TypeName, scope: Scope) -> Iterator[TypeDef | _Extension]:
    """A message, and the types and extensions within it; types are called `Outer.Inner`. The scope is within the message."""
    yield _struct(message, name, scope)
    yield from _declared(message.extension, scope, (name.group, name.version))
    for index, enum in enumerate(message.enum_type):
        yield read_enum(
            enum, _inner(name, enum.name), scope.inside(enum.name, enum.options.features, "enum_type", index)
        )
    for index, nested in enumerate(message.nested_type):
        if not nested.options.map_entry:
            yield from read_message(
                nested,
                _inner(name, nested.name),
                scope.inside(nested.name, nested.options.features, "nested_type", index),
            )


_WITH_OWN_JSON = frozenset(
    f"google.protobuf.{name}"
    for name in (
        *("Any", "Duration", "FieldMask", "ListValue", "Struct", "Timestamp", "Value"),
        *(f"{scalar}Value" for scalar in ("Bool", "Bytes", "Double", "Float", "Int32", "Int64", "String")),
        *("UInt32Value", "UInt64Value"),
    )
)
"""Messages whose JSON is not an object of their fields."""


def _struct(message: DescriptorProto, name: TypeName, scope: Scope) -> Struct:
    options = scope.options(message.options)
    scope.add_feature(options, "json_format")
    if scope.full in _WITH_OWN_JSON:
        options.add("json_format", scope.full, scope.at())
    if message.extension_range:
        ranges = sorted((each.start, each.end - 1) for each in message.extension_range)
        words = ", ".join(f"{first} to {'max' if last >= _MAX - 1 else last}" for first, last in ranges)
        options.add("extensions", words, scope.at("extension_range", 0))
    return Struct(
        name=name,
        fields=_fields(message, scope),
        slot=Slot(Named(name), scope.at(), doc=scope.doc()),
        place=scope.at(),
        tombstones=tuple(_tombstones(message, scope)),
        unions=tuple(_unions(message, scope)),
        wire_name=scope.full,
        file=scope.file,
        lifecycle=Lifecycle(is_deprecated=message.options.deprecated),
        options=options.pairs(),
        places=options.places,
    )


def _fields(message: DescriptorProto, scope: Scope) -> dict[str, Field]:
    """Return the fields by name, sorted: their order has no meaning."""
    found: dict[str, Field] = {}
    for index, each in enumerate(message.field):
        oneof, around = _oneof(message, each), scope
        if oneof:  # its features apply to its members
            of_oneof = message.oneof_decl[each.oneof_index].options.features
            around = replace(scope, features=scope.features.inside(of_oneof))
        read = read_field(each, around.inside(each.name, each.options.features, "field", index), oneof)
        if read.name in found:
            words = f"{quote(each.name)} has the JSON name {quote(read.name)} of another field, so it is not compared"
            scope.unread.append(Unread(read.place, words))
        else:
            found[read.name] = read
    return dict(sorted(found.items()))


def _oneof(message: DescriptorProto, field: FieldDescriptorProto) -> str:
    """Return the oneof of a field; the synthetic oneof of an `optional` field of proto3 does not count."""
    is_member = field.HasField("oneof_index") and not field.proto3_optional
    return message.oneof_decl[field.oneof_index].name if is_member else ""


def _unions(message: DescriptorProto, scope: Scope) -> Iterator[Union]:
    members: dict[str, list[str]] = {}
    for each in message.field:
        members.setdefault(_oneof(message, each), []).append(each.json_name or proto_json_name(each.name))
    for index, oneof in enumerate(message.oneof_decl):
        if oneof.name in members:
            names = dict.fromkeys(sorted(members[oneof.name]))
            options = scope.options(oneof.options, "oneof_decl", index)
            yield Union(
                oneof.name,
                names,
                scope.at("oneof_decl", index),
                optional=True,
                on_wire=True,
                options=options.pairs(),
                places=options.places,
            )


def read_service(service: ServiceDescriptorProto, scope: Scope) -> Service:
    """A service; the scope is within it."""
    methods = {
        method.name: _method(method, scope.inside(method.name, method.options.features, "method", index))
        for index, method in enumerate(service.method)
    }
    options = scope.options(service.options)
    is_deprecated = service.options.deprecated
    return Service(service.name, methods, scope.at(), scope.file, options.pairs(), is_deprecated, options.places)


def _method(method: MethodDescriptorProto, scope: Scope) -> Method:
    options = scope.options(method.options)
    places: dict[str, Place] = {
        "request": scope.at("input_type"),
        "response": scope.at("output_type"),
        "client streams": scope.at("client_streaming"),
        "server streams": scope.at("server_streaming"),
    }
    return Method(
        method.name,
        scope.at(),
        request=method.input_type.lstrip("."),
        response=method.output_type.lstrip("."),
        client_streams=method.client_streaming,
        server_streams=method.server_streaming,
        options=options.pairs(),
        is_deprecated=method.options.deprecated,
        places=places | options.places,
    )


@dataclass(frozen=True, slots=True)
class ProtoFile:
    """A compiled file of an input, with its name in messages, and its lines if they are known."""

    descriptor: FileDescriptorProto
    display_path: str
    lines: Sequence[str] = ()


@dataclass(slots=True)
class _Package:
    place: Place
    types: dict[str, TypeDef] = field(default_factory=dict)
    services: dict[str, Service] = field(default_factory=dict)
    files: dict[str, SourceFile] = field(default_factory=dict)


def surface_of(files: Sequence[ProtoFile], imported: Sequence[FileDescriptorProto], label: str, form: str) -> Surface:
    """The surface of `files`; those that they import from elsewhere are not reviewed."""
    symbols = Symbols([*imported, *(file.descriptor for file in files)])
    packages: dict[tuple[str, str], _Package] = {}
    unread: list[Unread] = []
    extensions: list[_Extension] = []
    for file in sorted(files, key=lambda each: each.descriptor.name):
        scope = _scope_of(file, symbols, unread)
        key = split_package(scope.full)
        extensions += _read_file(file.descriptor, scope, packages.setdefault(key, _Package(scope.at("package"))), key)
    _extend(extensions, packages, symbols)
    foreign: dict[TypeName, TypeDef] = {}
    for descriptor in imported:
        scope = _scope_of(ProtoFile(descriptor, descriptor.name), symbols, [])
        package = _Package(Place(descriptor.name))
        _read_file(descriptor, scope, package, split_package(scope.full))
        foreign.update((type_.name, type_) for type_ in package.types.values())
    return Surface(label, form, _groups(packages), unread=tuple(unread), describes_recursion=True, imported=foreign)


def _scope_of(file: ProtoFile, symbols: Symbols, unread: list[Unread]) -> Scope:
    """The scope of a whole file."""
    descriptor = file.descriptor
    positions = Positions(descriptor, file.display_path, file.lines)
    # all editions so far have the same defaults
    of_syntax = {"proto3": _PROTO3, "editions": _EDITIONS}.get(descriptor.syntax, _PROTO2)
    features = of_syntax.inside(descriptor.options.features)
    return Scope(descriptor.name, descriptor.package, features, positions, symbols, unread)


def _read_file(file: FileDescriptorProto, scope: Scope, package: _Package, key: tuple[str, str]) -> list[_Extension]:
    """Add the parts of a file to its package; return the extensions that it declares."""
    package.files[file.name] = _source_file(file, scope)
    extensions = [*_declared(file.extension, scope, key)]
    for index, message in enumerate(file.message_type):
        inner = scope.inside(message.name, message.options.features, "message_type", index)
        for part in read_message(message, TypeName(*key, message.name), inner):
            if isinstance(part, _Extension):
                extensions.append(part)
            else:
                package.types[part.name.name] = part
    for index, enum in enumerate(file.enum_type):
        name = TypeName(*key, enum.name)
        package.types[enum.name] = read_enum(
            enum, name, scope.inside(enum.name, enum.options.features, "enum_type", index)
        )
    for index, service in enumerate(file.service):
        inner = scope.inside(service.name, service.options.features, "service", index)
        package.services[service.name] = read_service(service, inner)
    return extensions


def _source_file(file: FileDescriptorProto, scope: Scope) -> SourceFile:
    options = scope.options(file.options)
    is_edition = file.syntax == "editions"
    edition = file.DESCRIPTOR.fields_by_name["edition"].enum_type
    known = None if edition is None else edition.values_by_number.get(file.edition)
    name = str(file.edition) if known is None else known.name.removeprefix("EDITION_")
    return SourceFile(
        file.name,
        scope.at("package") if file.package else Place(scope.positions.display_path),
        package=file.package,
        syntax=f"edition {name}" if is_edition else file.syntax or "proto2",
        options=options.pairs(),
        is_deprecated=file.options.deprecated,
        places={"syntax": max(scope.at("edition"), scope.at("syntax"))} | options.places,
    )


def _declared(extensions: Sequence[FieldDescriptorProto], scope: Scope, key: tuple[str, str]) -> Iterator[_Extension]:
    for index, extension in enumerate(extensions):
        inner = scope.inside(extension.name, extension.options.features, "extension", index)
        read = read_field(extension, inner)
        named = replace(read, name=f"[{inner.full}]", wire_name=inner.full)
        yield _Extension(extension.extendee, TypeName(*key, f"extend {extension.extendee.lstrip('.')}"), named)


def _extend(extensions: list[_Extension], packages: dict[tuple[str, str], _Package], symbols: Symbols) -> None:
    """Add extensions to the messages that they extend; a message outside of the input gets a struct of extensions only."""
    added: dict[TypeName, list[_Extension]] = {}
    for extension in extensions:
        target = symbols.type_name(extension.extendee)
        package = packages.get((target.group, target.version))
        is_here = package is not None and isinstance(package.types.get(target.name), Struct)
        added.setdefault(target if is_here else extension.owner, []).append(extension)
    for name, of_message in added.items():
        types = packages[name.group, name.version].types
        struct = types.get(name.name)
        if not isinstance(struct, Struct):
            place = of_message[0].field.place
            struct = Struct(name, {}, Slot(Named(name), place), place, wire_name=of_message[0].extendee.lstrip("."))
        fields = {**struct.fields, **{each.field.name: each.field for each in of_message}}
        types[name.name] = replace(struct, fields=dict(sorted(fields.items())))


def _groups(packages: dict[tuple[str, str], _Package]) -> dict[str, Group]:
    versions: dict[str, dict[str, Version]] = {}
    for (group, version), package in sorted(packages.items(), key=lambda item: item[0]):
        versions.setdefault(group, {})[version] = Version(
            group, version, package.place, package.types, services=package.services, files=package.files
        )
    return {name: Group(name, next(iter(found.values())).place, found) for name, found in versions.items()}
