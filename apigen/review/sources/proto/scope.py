"""The scope in which an element of a file is read, and the names of packages and types."""

from __future__ import annotations

import re

from google.protobuf.descriptor_pb2 import DescriptorProto, FeatureSet, FileDescriptorProto

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place
from apigen.review.sources.proto.options import Declared, Features
from apigen.review.sources.proto.reading import Positions, TreePath
from apigen.review.surface import TypeName, Unread

_VERSION = re.compile(r"v[1-9][0-9]*(?:(?:p[1-9][0-9]*)?(?:alpha|beta)[0-9]*|test.*)?")


def split_package(package: str) -> tuple[str, str]:
    """A package as group and version: `acme.things.v1` is `acme.things` and `v1`. Without a version it is the group."""
    group, _, last = package.rpartition(".")
    return (group, last) if _VERSION.fullmatch(last) else (package, "")


class Symbols:
    """The messages and enums of some files, by their full name with a dot before it."""

    def __init__(self, files: list[FileDescriptorProto]) -> None:
        self.maps: dict[str, DescriptorProto] = {}
        self.first_values: dict[str, str] = {}
        self._names: dict[str, TypeName] = {}
        for file in files:
            group, version = split_package(file.package)
            scope = f".{file.package}" if file.package else ""
            for enum in file.enum_type:
                self._enum(TypeName(group, version, enum.name), f"{scope}.{enum.name}", [v.name for v in enum.value])
            for message in file.message_type:
                self._message(message, TypeName(group, version, message.name), f"{scope}.{message.name}")

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

    def knows(self, full: str) -> bool:
        """Return whether one of the files declares a type."""
        return full in self._names

    def _message(self, message: DescriptorProto, name: TypeName, full: str) -> None:
        self._names[full] = name
        if message.options.map_entry:
            self.maps[full] = message
        for enum in message.enum_type:
            self._enum(_inner(name, enum.name), f"{full}.{enum.name}", [value.name for value in enum.value])
        for nested in message.nested_type:
            self._message(nested, _inner(name, nested.name), f"{full}.{nested.name}")

    def _enum(self, name: TypeName, full: str, values: list[str]) -> None:
        self._names[full] = name
        self.first_values[full] = values[0] if values else ""


def _inner(outer: TypeName, name: str) -> TypeName:
    return TypeName(outer.group, outer.version, f"{outer.name}.{name}")


@dataclass(frozen=True, slots=True)
class Scope:
    """The file, the element around, and its features. `full` is the full name of that, of the package at first."""

    file: str
    full: str
    features: Features
    positions: Positions
    symbols: Symbols
    declared: Declared
    unread: list[Unread]
    path: TreePath = ()

    def at(self, *more: int) -> Place:
        """Return the place of a part of the element."""
        return self.positions.at(*self.path, *more)

    def doc(self, *more: int) -> str | None:
        """The comment of a part of the element."""
        return self.positions.doc(*self.path, *more)

    def inside(self, name: str, features: FeatureSet, *more: int) -> Scope:
        """The scope within a named part of the element."""
        full = f"{self.full}.{name}".lstrip(".")
        return replace(self, full=full, features=self.features.inside(features), path=(*self.path, *more))
