"""The positions of the parts of a file, their options as text, and the features of protobuf's editions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Protocol, cast

from google.protobuf import message_factory, text_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    FeatureSet,
    FieldDescriptorProto,
    FileDescriptorProto,
    SourceCodeInfo,
)
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place
from apigen.review.sources.proto.reading import character

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


def features_of(file: FileDescriptorProto) -> Features:
    """Return the features of a file: of its syntax or edition, and its options. All editions so far have the same
    defaults.
    """
    by_syntax = {"proto3": _PROTO3, "editions": _EDITIONS}
    return by_syntax.get(file.syntax, _PROTO2).inside(file.options.features)


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


class _UnknownField(Protocol):
    """The attributes of a member of an UnknownFieldSet, which the library's stubs lack."""

    @property
    def field_number(self) -> int: ...

    @property
    def data(self) -> object: ...


class Declared:
    """The custom options (extensions of option messages) that files declare, by message and number.

    `files` must be sorted: imported files first.
    """

    def __init__(self, files: list[FileDescriptorProto]) -> None:
        self._files = files
        self._options: dict[tuple[str, int], tuple[str, str]] = {}
        for file in files:
            self._add(file.package, file.extension)
            for message in file.message_type:
                self._inside(message, f"{file.package}.{message.name}".lstrip("."))

    def name(self, extendee: str, number: int) -> str:
        """The name of an option in brackets, as sources write it; by its number where no file declares it."""
        return f"({self._options.get((extendee, number), (number,))[0]})"

    def message(self, extendee: str, number: int, data: bytes) -> str | None:
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

    def _inside(self, message: DescriptorProto, scope: str) -> None:
        self._add(scope, message.extension)
        for nested in message.nested_type:
            self._inside(nested, f"{scope}.{nested.name}")

    def _add(self, scope: str, extensions: Iterable[FieldDescriptorProto]) -> None:
        for each in extensions:
            kind = each.type_name if each.type == FieldDescriptorProto.TYPE_MESSAGE else ""
            self._options[each.extendee, each.number] = f"{scope}.{each.name}".lstrip("."), kind


def read_options(message: Message, path: TreePath, positions: Positions, declared: Declared) -> Options:
    """Return options. `path` is that of the options; an option without a location has that of its element."""
    options = Options()
    if not message.ByteSize():
        return options
    for descriptor, value in message.ListFields():
        if descriptor.name == "features":
            inner = _custom(value, _FEATURES, declared)
            place = positions.at(*path, descriptor.number)
            for _, name, text in inner:
                options.add(f"features.{name}", text, place)
        elif not descriptor.is_extension and descriptor.name not in _ELSEWHERE:
            options.add(descriptor.name, _text(descriptor, value), positions.at(*path, descriptor.number))
    for number, name, text in _custom(message, f".{message.DESCRIPTOR.full_name}", declared):
        options.add(name, text, positions.at(*path, number))
    return options


def _text(descriptor: FieldDescriptor, value: object) -> str:
    values = list(value) if isinstance(value, (list, tuple)) or hasattr(value, "append") else [value]  # type: ignore[call-overload]
    return ", ".join(_single(descriptor, each) for each in values)


def _single(descriptor: FieldDescriptor, value: object) -> str:
    if descriptor.enum_type is not None and isinstance(value, int):
        known = descriptor.enum_type.values_by_number.get(value)
        return str(value) if known is None else known.name
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else str(value).strip()


def _custom(message: Message, extendee: str, declared: Declared) -> Iterator[tuple[int, str, str]]:
    """Options without a name in this library, as encoded: number, name, text."""
    found: dict[int, list[str]] = {}
    unknown = cast("Sequence[_UnknownField]", UnknownFieldSet(message))
    for each in unknown:
        data = each.data
        text = declared.message(extendee, each.field_number, data) if isinstance(data, bytes) else None
        found.setdefault(each.field_number, []).append(_raw(data) if text is None else f"{{{text}}}")
    for number, texts in found.items():
        yield number, declared.name(extendee, number), ", ".join(texts)


def _raw(data: object) -> str:
    if not isinstance(data, bytes):
        return str(data) if isinstance(data, int) else "a group"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return f"0x{data.hex()}"
    return json.dumps(text, ensure_ascii=False) if text.isprintable() else f"0x{data.hex()}"
