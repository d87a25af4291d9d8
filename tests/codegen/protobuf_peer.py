"""Google's protobuf as the other side: it compiles the `.proto` text with protoc, and holds what an object should be."""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import Message
from grpc_tools import protoc

from apigen.codegen import packages
from apigen.codegen.backend_input import BackendInput
from apigen.codegen.proto_text import backend as proto_text
from apigen.codegen.proto_text.backend import package_of
from apigen.codegen.protobuf_codec import backend as protobuf_codec
from apigen.codegen.types import backend as types
from apigen.hub.steps import HubModel
from apigen.ir.model import (
    Api,
    Field,
    ListType,
    MapType,
    NamedType,
    Presence,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeId,
    WellKnown,
    WellKnownType,
    is_bytes,
    is_container,
    underlying,
)
from apigen.ir.names import package_name

_COUNTER = itertools.count()


@dataclass(frozen=True, slots=True)
class Generated:
    """An API whose types, codecs and `.proto` text were generated into `folder` and imported from there."""

    api: Api
    folder: Path
    classes: Mapping[tuple[str, str], ModuleType]
    codecs: Mapping[tuple[str, str], ModuleType]
    pool: descriptor_pool.DescriptorPool

    def encode(self, id_: TypeId, obj: object) -> bytes:
        """What our codec writes."""
        data: bytes = getattr(self.codecs[id_.group, id_.version], f"encode_{self.api.types[id_].snake_name}")(obj)
        return data

    def decode(self, id_: TypeId, data: bytes | memoryview, path: str = "") -> Any:
        """What our codec reads."""
        return getattr(self.codecs[id_.group, id_.version], f"decode_{self.api.types[id_].snake_name}")(data, path)

    def empty_message(self, id_: TypeId) -> Message:
        """An empty message of Google's, of the class that the `.proto` text describes."""
        name = f"{package_of(id_.group, id_.version)}.{id_.name}"
        return message_factory.GetMessageClass(self.pool.FindMessageTypeByName(name))()

    def message(self, id_: TypeId, obj: object) -> Message:
        """The message of Google's that says what `obj` says, by the table of presence in the design."""
        message = self.empty_message(id_)
        _fill(message, obj, self.api.struct(id_), (), self.api)
        return message


def generate(api: Api, parent: Path) -> Generated:
    """Generate everything into a package of its own below `parent`, and import it."""
    folder = parent / f"made_up_{next(_COUNTER)}"
    write(api, folder)
    versions = [(group.folder, version.name) for group in api.groups for version in group.versions]
    sys.path.insert(0, str(parent))
    try:
        _share_runtime(folder.name)
        imported = {v: [_import(folder.name, *v, module) for module in ("types", "protobuf_codec")] for v in versions}
    finally:
        sys.path.remove(str(parent))
    classes, codecs = ({v: modules[n] for v, modules in imported.items()} for n in (0, 1))
    return Generated(api, folder, classes, codecs, compiled(folder))


def _share_runtime(package: str) -> None:
    """Have a package use our own run-time library in place of a copy, so that its values are of the same classes."""
    for module in ("packages", "wire_reading", "wire_writing", "wire_wellknown"):
        importlib.import_module(f"apigen.runtime.{module}")
    for name, loaded in list(sys.modules.items()):
        if name.startswith("apigen.runtime"):
            sys.modules[name.replace("apigen", package, 1)] = loaded


def write(api: Api, folder: Path) -> None:
    """Write the output of the backends."""
    backend_input = BackendInput(api, HubModel(), api.types)
    files = [file for backend in (types, protobuf_codec, proto_text) for file in backend.plan(backend_input)]
    for file in (*files, *packages.plan(backend_input, [file.path for file in files])):
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)


def compiled(folder: Path) -> descriptor_pool.DescriptorPool:
    """All `.proto` files below a folder, compiled at once by protoc. A complaint of protoc fails the test."""
    files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.proto"))
    output = folder / "descriptors.pb"
    code = protoc.main(["protoc", f"-I{folder}", f"--descriptor_set_out={output}", "--include_imports", *files])
    assert code == 0, "protoc rejects the file"
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(output.read_bytes()).file:
        pool.Add(file)
    return pool


def _import(package: str, group: str, version: str, module: str) -> ModuleType:
    return importlib.import_module(f"{package}.{package_name(group)}.{version}.{module}")


def _fill(message: Message, obj: object, struct: Struct, via: tuple[str, ...], api: Api) -> None:
    names = message.DESCRIPTOR.fields_by_number
    for field in struct.fields:
        if field.via == via:
            _fill_field(message, names[field.number].name, field, getattr(obj, field.py_name), api)
    for inline in struct.inlines:
        if inline.via == via:
            inner = getattr(message, names[inline.number].name)
            inner.SetInParent()
            _fill(inner, obj, struct, (*via, inline.name), api)


def _fill_field(message: Message, name: str, field: Field, value: Any, api: Api) -> None:
    if value is not None:
        _set(message, name, field.type, value, api)
    elif field.presence is Presence.PLAIN or not _is_omitted(field):
        getattr(message, name).SetInParent()  # the zero of a time


def _is_omitted(field: Field) -> bool:
    return field.presence is not Presence.OMIT_EMPTY or is_container(field.type) or is_bytes(field.type)


def _set(message: Message, name: str, type_: Type, value: Any, api: Api) -> None:
    match type_:
        case NamedType(nullable=False):
            _set(message, name, type_.target, value, api)
        case ListType(item):
            repeated = getattr(message, name)
            for element in value:
                if _is_message(item):
                    _fill_value(repeated.add(), item, element, api)
                else:
                    repeated.append(b"" if element is None else element)
        case MapType(_, item):
            entries = getattr(message, name)
            for key, element in value.items():
                if _is_message(item):
                    _fill_value(entries[key], item, element, api)
                else:
                    entries[key] = b"" if element is None else element
        case _ if _is_message(type_):
            getattr(message, name).SetInParent()
            _fill_value(getattr(message, name), type_, value, api)
        case _:
            setattr(message, name, value)


def _is_message(type_: Type) -> bool:
    while isinstance(type_, NamedType) and not type_.nullable:
        type_ = type_.target
    return isinstance(type_, StructType | NamedType | WellKnownType)


def _fill_value(message: Any, type_: Type, value: Any, api: Api) -> None:
    match type_:
        case _ if value is None:
            pass
        case NamedType(nullable=True):
            _set(message, "items", type_.target, value, api)
        case NamedType():
            _fill_value(message, type_.target, value, api)
        case StructType(id_):
            _fill(message, value, api.struct(id_), (), api)
        case WellKnownType(known):
            _fill_well_known(message, known, value)


def _fill_well_known(message: Any, known: WellKnown, value: Any) -> None:
    match known:
        case WellKnown.TIME:
            message.seconds, message.nanos = value.seconds, 0
        case WellKnown.MICRO_TIME:
            message.seconds, micros = divmod(value.microseconds, 10**6)
            message.nanos = micros * 1000
        case WellKnown.DURATION:
            message.duration = value.nanoseconds
        case WellKnown.QUANTITY:
            message.string = str(value)
        case WellKnown.INT_OR_STRING:
            message.type, message.intVal, message.strVal = (1, 0, value) if isinstance(value, str) else (0, value, "")
        case WellKnown.RAW_EXTENSION:
            message.raw = value.raw
        case WellKnown.FIELDS_V1:
            message.Raw = value.raw


def settled(generated: Generated, id_: TypeId, obj: Any) -> Any:
    """Return `obj` after a round trip through protobuf, which does not distinguish empty from `None`."""
    struct = generated.api.struct(id_)
    changed = {f.py_name: _settled_field(generated, f, getattr(obj, f.py_name)) for f in struct.fields}
    if struct.has_type_meta:
        changed |= {"api_version": "", "kind": ""}
    return type(obj)(**changed)


def _settled_field(generated: Generated, field: Field, value: Any) -> Any:
    if value is None:
        return None
    value = _settled(generated, field.type, value)
    is_message = isinstance(field.type, NamedType) and field.type.nullable
    return None if value in ([], {}) and field.can_be_none and not is_message else value


def _settled(generated: Generated, type_: Type, value: Any) -> Any:
    match underlying(type_):
        case StructType(id_):
            return settled(generated, id_, value)
        case ListType(item):
            return [_settled(generated, item, element) for element in value or ()]
        case MapType(_, item):
            return {key: _settled(generated, item, element) for key, element in (value or {}).items()}
        case ScalarType(Scalar.BYTES):
            return value or b""
    return value
