"""Convert protobuf files to a surface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place
from apigen.review.sources.proto.enums import read_enum
from apigen.review.sources.proto.fields import read_field
from apigen.review.sources.proto.messages import read_message
from apigen.review.sources.proto.options import Declared, features_of, read_options
from apigen.review.sources.proto.reading import Positions
from apigen.review.sources.proto.scope import Scope, Symbols, split_package
from apigen.review.sources.proto.services import read_service
from apigen.review.surface import (
    Field,
    Group,
    Named,
    Service,
    Slot,
    SourceFile,
    Struct,
    Surface,
    TypeDef,
    TypeName,
    Unread,
    Version,
)

_PACKAGE, _MESSAGE, _ENUM, _SERVICE, _EXTENSION, _OPTIONS, _SYNTAX, _EDITION = 2, 4, 5, 6, 7, 8, 12, 14
"""Fields of FileDescriptorProto, for positions."""

_NESTED, _NESTED_EXTENSION = 3, 6
"""Fields of DescriptorProto."""


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


@dataclass(frozen=True, slots=True)
class _Extension:
    extendee: str
    owner: TypeName
    field: Field


def surface_of(files: Sequence[ProtoFile], imported: Sequence[FileDescriptorProto], label: str, form: str) -> Surface:
    """The surface of `files`; those that they import from elsewhere give names only."""
    descriptors = [file.descriptor for file in files]
    symbols = Symbols([*descriptors, *imported])
    declared = Declared([*imported, *descriptors])
    packages: dict[tuple[str, str], _Package] = {}
    unread: list[Unread] = []
    extensions: list[_Extension] = []
    for file in sorted(files, key=lambda each: each.descriptor.name):
        positions = Positions(file.descriptor, file.display_path, file.lines)
        features = features_of(file.descriptor)
        package = file.descriptor.package
        scope = Scope(file.descriptor.name, package, features, positions, symbols, declared, unread)
        key = split_package(package)
        _read_file(file.descriptor, scope, packages.setdefault(key, _Package(positions.at(_PACKAGE))), key)
        extensions.extend(_extensions(file.descriptor, scope, key))
    _extend(extensions, packages, symbols)
    return Surface(label, form, _groups(packages), unread=tuple(unread), describes_recursion=True)


def _read_file(file: FileDescriptorProto, scope: Scope, package: _Package, key: tuple[str, str]) -> None:
    package.files[file.name] = _source_file(file, scope)
    for index, message in enumerate(file.message_type):
        inner = scope.inside(message.name, message.options.features, _MESSAGE, index)
        for type_ in read_message(message, TypeName(*key, message.name), inner):
            package.types[type_.name.name] = type_
    for index, enum in enumerate(file.enum_type):
        name = TypeName(*key, enum.name)
        package.types[enum.name] = read_enum(enum, name, scope.inside(enum.name, enum.options.features, _ENUM, index))
    for index, service in enumerate(file.service):
        inner = scope.inside(service.name, service.options.features, _SERVICE, index)
        package.services[service.name] = read_service(service, inner)


def _source_file(file: FileDescriptorProto, scope: Scope) -> SourceFile:
    options = read_options(file.options, (_OPTIONS,), scope.positions, scope.declared)
    is_edition = file.syntax == "editions"
    edition = file.DESCRIPTOR.fields_by_name["edition"].enum_type
    known = None if edition is None else edition.values_by_number.get(file.edition)
    name = str(file.edition) if known is None else known.name.removeprefix("EDITION_")
    return SourceFile(
        file.name,
        scope.at(_PACKAGE) if file.package else Place(scope.positions.display_path),
        package=file.package,
        syntax=f"edition {name}" if is_edition else file.syntax or "proto2",
        options=options.pairs(),
        is_deprecated=file.options.deprecated,
        places={"syntax": max(scope.at(_EDITION), scope.at(_SYNTAX))} | options.places,
    )


def _extensions(file: FileDescriptorProto, scope: Scope, key: tuple[str, str]) -> Iterator[_Extension]:
    yield from _declared(file.extension, scope, key, _EXTENSION)
    for index, message in enumerate(file.message_type):
        yield from _nested(message, scope.inside(message.name, message.options.features, _MESSAGE, index), key)


def _nested(message: DescriptorProto, scope: Scope, key: tuple[str, str]) -> Iterator[_Extension]:
    yield from _declared(message.extension, scope, key, _NESTED_EXTENSION)
    for index, nested in enumerate(message.nested_type):
        if not nested.options.map_entry:
            yield from _nested(nested, scope.inside(nested.name, nested.options.features, _NESTED, index), key)


def _declared(
    extensions: Sequence[FieldDescriptorProto], scope: Scope, key: tuple[str, str], number: int
) -> Iterator[_Extension]:
    for index, extension in enumerate(extensions):
        inner = scope.inside(extension.name, extension.options.features, number, index)
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
