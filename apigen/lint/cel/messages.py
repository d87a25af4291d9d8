"""The types of an API for CEL's type checker: structs are messages, each in one file of descriptors.

Values without a fixed type in JSON are dynamic: IntOrString, raw JSON, nullable values, lists in lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from apigen.ir.generated_modules import package_name
from apigen.ir.model import Api, Field, Presence, Struct
from apigen.ir.types import (
    EnumType,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    TypeId,
    WellKnown,
    WellKnownType,
    underlying,
)
from apigen.runtime.cel_functions import message_types
from apigen.runtime.rule_names import escaped

PACKAGE = "api"
"""Of the messages: a name without one is not looked up."""

_DYNAMIC = ".google.protobuf.Value"
_TIMESTAMP = ".google.protobuf.Timestamp"
_METADATA = "MetadataOfRules"
_DOUBLE, _INT64, _BOOL, _STRING, _MESSAGE, _BYTES = 1, 3, 8, 9, 11, 12
_OPTIONAL, _REPEATED = 1, 3
_SCALARS = {
    Scalar.STRING: _STRING,
    Scalar.BOOL: _BOOL,
    Scalar.FLOAT32: _DOUBLE,
    Scalar.FLOAT64: _DOUBLE,
    Scalar.BYTES: _BYTES,
}
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

Kind = tuple[int, str]
"""A field's type in a descriptor: the number of the type, and the name of its message."""


class Messages:
    """The messages of the structs that rules are about, and of all that these hold."""

    def __init__(self, api: Api, structs: Iterable[TypeId]) -> None:
        self._api = api
        self._names: dict[TypeId, str] = {}
        descriptors = import_module("google.protobuf.descriptor_pb2")
        self._file = descriptors.FileDescriptorProto(name="api.proto", package=PACKAGE, syntax="proto2")
        self._file.dependency.extend(["google/protobuf/struct.proto", "google/protobuf/timestamp.proto"])
        metadata = self._file.message_type.add(name=_METADATA)
        for number, name in enumerate(("name", "generateName"), 1):
            metadata.field.add(name=name, json_name=name, number=number, type=_STRING, label=_OPTIONAL)
        for id_ in structs:
            self._message(id_)

    def files(self) -> list[bytes]:
        """The files of descriptors, each after those that it needs."""
        well_known = ("google.protobuf.struct_pb2", "google.protobuf.timestamp_pb2")
        files: list[bytes] = [import_module(name).DESCRIPTOR.serialized_pb for name in well_known]
        return [*files, *message_types(), self._file.SerializeToString()]

    def type_of(self, type_: Type, cel_types: Any) -> Any:
        """The type as the checker has it; `cel_types` is the library's class of types."""
        match underlying(type_):
            case ListType(item):
                return cel_types.List(self.type_of(item, cel_types))
            case MapType(_, value):
                return cel_types.Map(cel_types.STRING, self.type_of(value, cel_types))
            case StructType(id_):
                return cel_types(f"{PACKAGE}.{self._message(id_)}")
            case _:
                number, name = self._kind(type_)
                if name == _TIMESTAMP:
                    return cel_types.TIMESTAMP
                plain = {
                    _DOUBLE: cel_types.DOUBLE,
                    _INT64: cel_types.INT,
                    _BOOL: cel_types.BOOL,
                    _STRING: cel_types.STRING,
                    _BYTES: cel_types.BYTES,
                }
                return plain.get(number, cel_types.DYN)

    def struct_named(self, message: str) -> Struct | None:
        """Return the struct of a message."""
        return next((self._api.struct(id_) for id_, name in self._names.items() if name == message), None)

    def _message(self, id_: TypeId) -> str:
        name = self._names.get(id_)
        if name is not None:
            return name
        name = id_.name if id_.name not in self._names.values() else f"{id_.name}_of_{package_name(id_.group)}"
        while name in self._names.values():
            name = f"{name}_{id_.version}"
        self._names[id_] = name
        message = self._file.message_type.add(name=name)
        struct = self._api.struct(id_)
        members = [(f.json_name, f) for f in struct.fields]
        number = 0
        for number, (json_name, member) in enumerate(members, 1):
            if struct.is_root and json_name == "metadata":
                self._add(message, json_name, number, (_MESSAGE, f".{PACKAGE}.{_METADATA}"), _OPTIONAL)
            else:
                self._field(message, member, number)
        if struct.has_type_meta:
            for offset, json_name in enumerate(("apiVersion", "kind"), 1):
                self._add(message, json_name, number + offset, (_STRING, ""), _OPTIONAL)
        return name

    def _field(self, message: Any, member: Field, number: int) -> None:
        behind = underlying(member.type)
        if member.presence is Presence.NULLABLE:
            self._add(message, member.json_name, number, (_MESSAGE, _DYNAMIC), _OPTIONAL)
        elif isinstance(behind, ListType):
            self._add(message, member.json_name, number, self._kind(behind.item), _REPEATED)
        elif isinstance(behind, MapType):
            name = _entry_name(escaped(member.json_name))
            entry = message.nested_type.add(name=name)
            entry.options.map_entry = True
            self._add(entry, "key", 1, (_STRING, ""), _OPTIONAL)
            self._add(entry, "value", 2, self._kind(behind.value), _OPTIONAL)
            kind = (_MESSAGE, f".{PACKAGE}.{message.name}.{name}")
            self._add(message, member.json_name, number, kind, _REPEATED)
        else:
            self._add(message, member.json_name, number, self._kind(member.type), _OPTIONAL)

    def _add(self, message: Any, json_name: str, number: int, kind: Kind, label: int) -> None:
        name = escaped(json_name)
        if _IDENTIFIER.fullmatch(name) is not None:  # no expression could name the others
            message.field.add(
                name=name, json_name=name, number=number, type=kind[0], type_name=kind[1] or None, label=label
            )

    def _kind(self, type_: Type) -> Kind:
        match underlying(type_):
            case ScalarType(scalar):
                return _SCALARS.get(scalar, _INT64), ""
            case EnumType():
                return _STRING, ""
            case WellKnownType(WellKnown.TIME | WellKnown.MICRO_TIME):
                return _MESSAGE, _TIMESTAMP
            case WellKnownType(WellKnown.QUANTITY | WellKnown.DURATION):
                return _STRING, ""
            case StructType(id_):
                return _MESSAGE, f".{PACKAGE}.{self._message(id_)}"
            case _:
                return _MESSAGE, _DYNAMIC


def _entry_name(field_name: str) -> str:
    """What protobuf wants the message of a map's entries to be called."""
    return "".join(part[:1].upper() + part[1:] for part in field_name.split("_")) + "Entry"
