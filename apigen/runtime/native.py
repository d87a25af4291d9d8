"""The optional native codec, `apigen_native`: it reads, writes and copies objects by their layouts.

A layout has the members of a class in the order of JSON, each as (name in JSON, attribute, type, presence, numbers on
the wire: those of the inline messages around it, then its own). A type is a name ("string", "Time"), a class, or a pair:
("list", item), ("map", value), ("nullable", item), ("message", list or map that is a message of its own).

The codec does what is usual only. Whatever is wrong, or odd in any way, it leaves to the generated Python code, which
so has the last word on every error and every corner. Without the extension nothing changes but speed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from operator import attrgetter
from threading import Lock
from types import ModuleType
from typing import Any, Protocol, TypeAlias

from .durations import Duration
from .kinds import KindVersion
from .quantity import Quantity
from .raw import FieldsV1, RawExtension
from .times import MicroTime, Time

__all__ = ["Member", "Members", "NativeCodec", "native_codec"]

Member: TypeAlias = tuple[
    str, str, "type | str | tuple[Any, ...]", str, tuple[int, ...]
]
Members: TypeAlias = tuple[Member, ...]

_FORMAT = 1
"""The layouts that this package writes."""


class _Codec(Protocol):
    """The type of the extension. Methods return None for what they leave to Python."""

    def add(
        self, cls: type, members: Members, inlines: tuple[tuple[int, ...], ...], /
    ) -> None: ...

    def add_well_known(
        self,
        name: str,
        read_json: Callable[[Any], object],
        write_json: Callable[[Any], str | bytes],
        read_wire: Callable[[bytes], object],
        write_wire: Callable[[Any], bytes],
        zero: object,
        null_is_error: bool,
        time: tuple[type, str] | None,
        /,
    ) -> None: ...

    def type_meta(self, data: bytes, /) -> tuple[str, str] | None: ...

    def read_json(self, cls: type, data: bytes, /) -> object: ...

    def write_json(self, obj: object, /) -> bytes | None: ...

    def read_wire(self, cls: type, data: bytes, /) -> object: ...

    def write_wire(self, obj: object, /) -> bytes | None: ...

    def open_envelope(self, data: bytes, /) -> tuple[str, str, bytes] | None: ...

    def write_document(
        self, obj: object, api_version: str, kind: str, /
    ) -> bytes | None: ...

    def copy(self, obj: object, /) -> object: ...


class NativeCodec:
    """The native codec of one generated package; it takes in the layouts of a version when that is first met."""

    def __init__(self, package: str, codec: _Codec) -> None:
        self._package = package
        self._codec = codec
        self._known: set[str] = set()
        self._classes: dict[tuple[str, str], type] = {}
        self._lock = Lock()
        _add_well_known(codec)

    def read_document(
        self,
        data: bytes | str,
        versions: Mapping[tuple[str, str], KindVersion],
        silent: KindVersion | None,
    ) -> tuple[KindVersion, Any] | None:
        """What a JSON document is and holds, or None.

        It is of the kind that it names among `versions` (by `apiVersion` and `kind`), or `silent`, if that is given.
        """
        if not isinstance(data, bytes):
            return None
        named = self._codec.type_meta(data) if silent is None else None
        entry = silent if named is None else versions.get(named)
        obj = entry and self.read_json(entry.package, entry.kind, data)
        return None if entry is None or obj is None else (entry, obj)

    def read_message(
        self,
        data: bytes,
        versions: Mapping[tuple[str, str], KindVersion],
        silent: KindVersion | None,
    ) -> tuple[KindVersion, Any] | None:
        """What a message in Kubernetes' envelope is and holds, or None; `versions` and `silent` as for documents."""
        opened = self._codec.open_envelope(data)
        if opened is None:
            return None
        api_version, kind, raw = opened
        entry = silent or versions.get((api_version, kind))
        if entry is None:
            return None
        obj: Any = self.read_wire(entry.package, entry.kind, raw)
        if obj is None:
            return None
        if entry.type_meta:
            obj.api_version, obj.kind = api_version, kind
        return entry, obj

    def write_message(
        self, package: str, obj: object, api_version: str, kind: str
    ) -> bytes | None:
        """The message of an object of a version in Kubernetes' envelope, or None."""
        self._load(package)
        return self._codec.write_document(obj, api_version, kind)

    def read_json(self, package: str, kind: str, data: bytes) -> object:
        """The object of a kind that a JSON document is, or None. `package` is that of its version: `core.v1`."""
        return self._codec.read_json(self._class(package, kind), data)

    def read_wire(self, package: str, kind: str, data: bytes) -> object:
        """The object of a kind that a message is, or None."""
        return self._codec.read_wire(self._class(package, kind), data)

    def write_json(self, package: str, obj: object) -> bytes | None:
        """The JSON of an object of a version, or None."""
        self._load(package)
        return self._codec.write_json(obj)

    def write_wire(self, package: str, obj: object) -> bytes | None:
        """The message of an object of a version, or None."""
        self._load(package)
        return self._codec.write_wire(obj)

    def copy(self, package: str, obj: object) -> object:
        """A deep copy of an object of a version or hub, or None."""
        self._load(package)
        return self._codec.copy(obj)

    def _class(self, package: str, kind: str) -> type:
        cls = self._classes.get((package, kind))
        if cls is None:
            self._load(package)
            types = import_module(f"{self._package}.{package}.types")
            cls = self._classes[package, kind] = getattr(types, kind)
        return cls

    def _load(self, package: str) -> None:
        if package not in self._known:
            with self._lock:  # a layout is taken in once
                self._load_anew(package)

    def _load_anew(self, package: str) -> None:
        waiting, modules = [package], dict[str, ModuleType]()
        while waiting:
            name = waiting.pop()
            if name not in self._known and name not in modules:
                modules[name] = import_module(f"{self._package}.{name}.layouts")
                waiting += modules[name].NEEDS
        for module in modules.values():
            layouts: Mapping[type, Members] = module.LAYOUTS
            for cls, members in layouts.items():
                self._codec.add(cls, members, module.INLINES.get(cls, ()))
        self._known.update(modules)


def native_codec(package: str) -> NativeCodec | None:
    """The native codec for a generated package, where the extension is installed in a version that knows its layouts."""
    try:
        extension = import_module("apigen_native")
    except ImportError:
        return None
    if getattr(extension, "FORMAT", None) != _FORMAT:
        return None
    return NativeCodec(package, extension.Codec())


def _add_well_known(codec: _Codec) -> None:
    """Tell how well-known types are read and written; Time, the usual one, the extension does itself.

    These functions may refuse more than those that generated code calls: what they refuse is left to it.
    """
    from . import wire_wellknown as wire

    add, raw = codec.add_well_known, attrgetter("raw")
    time = (Time, "seconds")
    read: Callable[[bytes], object]
    write: Callable[[Any], bytes]
    read, write = wire.decode_time, wire.encode_time
    add("Time", Time.parse, str, read, write, None, False, time)
    read, write = wire.decode_micro_time, wire.encode_micro_time
    add("MicroTime", MicroTime.parse, str, read, write, None, False, None)
    read, write = wire.decode_duration, wire.encode_duration
    add("Duration", Duration.parse, str, read, write, Duration(), True, None)
    read, write = wire.decode_quantity, wire.encode_quantity
    add("Quantity", Quantity, str, read, write, Quantity("0"), False, None)
    read, write = wire.decode_raw_extension, wire.encode_raw_extension
    add("RawExtension", RawExtension, raw, read, write, None, False, None)
    read, write = wire.decode_fields_v1, wire.encode_fields_v1
    add("FieldsV1", FieldsV1, raw, read, write, None, False, None)
