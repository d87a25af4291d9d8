"""The optional native codec, `apigen_native`: it reads, writes, converts and copies objects by their `layouts`.

A conversion has a class of a version and one of its hub, and for each direction the steps other than copying members of
the same JSON name, each a name and its arguments, or the name of the function to call instead.

- ("from", member, other): the value of another member. ("left", member): zero, though the source has such a member.
- ("filled", member, other, value), ("emptied", member, other, value): None becomes the value, or the value None;
  a value of `None` means an empty one.
- ("moved", parents are always built, ((path, path), ...)): between places below structs, as tuples of names.
- ("first", (list,), (member,), name): the member of the first item of a list, or the item itself without a name.
- ("singular", (member,), (list,), name, wins): the reverse, if the list is empty or begins with another item.
- Conditions without which Python converts the object: ("keyless", is of the target, path, key),
  ("unset", is of the target, path),
  ("at least", is of the target, path, number), and ("alias", (member,), (member,), wins): the first does not win.

The codec only handles ordinary input. It leaves invalid and unusual input to the generated Python code, which
therefore decides all errors and special cases. Without the extension only the speed changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from types import ModuleType

from .kinds import HubKind, KindVersion
from .quantity import Quantity
from .raw import FieldsV1, RawExtension
from .times import Duration, MicroTime, Time

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from typing import Any, Protocol, TypeAlias, TypeVar

    from .layouts import Members

    _Key = TypeVar("_Key")

    class _Codec(Protocol):
        """The type of the extension. Methods return None if they leave the work to Python.

        Those that add return False if they leave a class or conversion to Python. Adding a known entry again changes
        nothing.
        """

        def add(
            self, cls: type, members: Members, inlines: tuple[tuple[int, ...], ...], /
        ) -> bool: ...

        def add_well_known(
            self,
            name: str,
            read_json: Callable[[Any], object],
            write_json: Callable[[Any], str | bytes],
            read_wire: Callable[[bytes], object],
            write_wire: Callable[[Any], bytes],
            zero: object,
            null_is_error: bool,
            holds: tuple[type, str] | None,
            /,
        ) -> None: ...

        def add_kind(
            self, cls: type, api_version: str, kind: str, has_protobuf: bool, /
        ) -> bool: ...

        def add_conversion(
            self,
            source: type,
            target: type,
            steps: tuple[tuple[Any, ...], ...],
            function: Callable[[Any], object] | None,
            /,
        ) -> bool: ...

        def add_route(
            self, cls: type, to: str, first: type, second: type | None, /
        ) -> bool: ...

        def said(
            self, data: bytes | str, media_type: str, /
        ) -> tuple[str, str] | None: ...

        def decode(self, data: object, media_type: str, cls: type | None, /) -> Any: ...

        def encode(self, obj: object, media_type: str, /) -> bytes | None: ...

        def convert(self, obj: object, to: str, share: bool, /) -> Any: ...

        def copy(self, obj: object, /) -> Any: ...


Steps: TypeAlias = "tuple[tuple[Any, ...], ...] | str"
Conversion: TypeAlias = tuple[type, type, Steps, Steps]

_FORMAT = 3
"""The layouts that this package writes."""


class NativeCodec:
    """The native codec of one generated package. Kinds and conversions are loaded on first use (`learn…`).

    `decode(data, media_type, cls)`, `encode(obj, media_type)`, `convert(obj, to, share)` and `copy(obj)` are those of
    the extension: they return None for unknown classes, and for objects that they leave to the generated code.
    Documents are of the kind that they name, or of the given class.

    Loading needs no lock and can be interrupted at any point, by a signal for instance: each addition to the extension
    is complete or has no effect, adding an entry again changes nothing, and a package, kind or route counts as known
    only when all of it was added. So threads may load the same package at once.
    """

    def __init__(self, package: str, codec: _Codec) -> None:
        self._package = package
        self._codec = codec
        self.decode = codec.decode
        self.encode = codec.encode
        self.convert = codec.convert
        self.copy = codec.copy
        self._known: set[str] = set()
        self._converting: set[str] = set()
        self._kinds: set[tuple[str, str]] = set()
        self._classes: dict[tuple[str, str], type] = {}
        self._routes: set[tuple[type, str]] = set()
        self._functions: dict[tuple[str, str], Callable[..., object]] = {}
        _add_well_known(codec)

    def decode_new(
        self,
        data: bytes | str,
        media_type: str,
        versions: Mapping[tuple[str, str], KindVersion],
        silent: KindVersion | None,
        *,
        tried: bool = False,
    ) -> tuple[KindVersion, Any] | None:
        """Decode a document or message of a kind that may not have been decoded before; return its kind and the
        object, or None.

        It is of the kind that it names among `versions` (by `apiVersion` and `kind`), or `silent`, if that is given.
        With `tried`, `decode` has left the document to Python already, and decodes it only if its kind was not known.
        """
        entry = silent
        if entry is None:
            names = self._codec.said(data, media_type)
            entry = None if names is None else versions.get(names)
        if entry is None:
            return None
        if not self.learn(entry) and tried:
            return None
        cls = None
        if silent is not None:
            cls = self._classes.get((silent.api_version, silent.kind))
            if cls is None:
                return None
        obj = self.decode(data, media_type, cls)
        return None if obj is None else (entry, obj)

    def learn(self, entry: KindVersion) -> bool:
        """Add a kind of a version. Returns False if it was known."""
        key = (entry.api_version, entry.kind)
        return self._once(self._kinds, key, partial(self._add_kind, entry))

    def copy_new(self, obj: object, package: str) -> Any:
        """Return a deep copy of an object whose package may not be loaded yet, or None."""
        copied = self.copy(obj)
        if copied is None and self.load(package):
            copied = self.copy(obj)
        return copied

    def load(self, package: str) -> bool:
        """Add the layouts of a version or hub (`core.v1`), and of all that it contains. Returns False if they were
        known.
        """
        return self._once(self._known, package, partial(self._add_layouts, package))

    def learn_route(
        self, obj: object, to: str, way: Sequence[KindVersion | HubKind]
    ) -> bool:
        """Add how objects of a class get to `to`: from the first place of `way` to its last. Returns False if it was
        known.
        """
        key = (type(obj), to)
        return self._once(self._routes, key, partial(self._add_route, *key, way))

    def _once(self, known: set[_Key], key: _Key, add: Callable[[], None]) -> bool:
        """Call `add`, unless `key` is known. Returns whether it was called and need not be called again.

        An error in it is not one of the caller's document: Python code does the work, and reports the error if it is
        hit by it, too. Near the end of the stack the next call tries again.
        """
        if key in known:
            return False
        try:
            add()
        except MemoryError:
            raise
        except RecursionError:
            return False
        except Exception:
            pass
        known.add(key)
        return True

    def _class(self, package: str, kind: str) -> type:
        self._add_layouts(package)
        found: type = getattr(import_module(f"{self._package}.{package}.types"), kind)
        return found

    def _add_layouts(self, package: str) -> None:
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

    def _add_kind(self, entry: KindVersion) -> None:
        from importlib.util import find_spec  # needed with the extension only

        key = (entry.api_version, entry.kind)
        cls = self._class(entry.package, entry.kind)
        codec = f"{self._package}.{entry.package}.protobuf_codec"
        if self._codec.add_kind(cls, *key, find_spec(codec) is not None):
            self._classes[key] = cls

    def _add_route(
        self, cls: type, to: str, way: Sequence[KindVersion | HubKind]
    ) -> None:
        for place in way:
            self._add_layouts(place.package)
            if isinstance(place, KindVersion):
                self._add_kind(place)
                self._load_conversions(place.package)
        first, *rest = [self._class(place.package, place.kind) for place in way[1:]]
        self._codec.add_route(cls, to, first, rest[0] if rest else None)

    def _load_conversions(self, package: str) -> None:
        """Load the conversions of a version, and those of the versions whose conversions they use."""
        waiting, modules = [package], dict[str, ModuleType]()
        while waiting:
            name = waiting.pop()
            if name not in self._converting and name not in modules:
                path = f"{self._package}.{name}.conversion_layouts"
                modules[name] = import_module(path)
                waiting += modules[name].CONVERTS
        for name, module in modules.items():
            for needed in module.NEEDS:
                self._add_layouts(needed)
            for conversion in module.CONVERSIONS:
                self._add_conversion(name, conversion)
        self._converting.update(modules)

    def _add_conversion(self, package: str, conversion: Conversion) -> None:
        version, hub, to_hub, from_hub = conversion
        for source, target, steps in (
            (version, hub, to_hub),
            (hub, version, from_hub),
        ):
            if isinstance(steps, str):
                function = partial(self._by_python, package, steps)
                self._codec.add_conversion(source, target, (), function)
            else:
                self._codec.add_conversion(source, target, steps, None)

    def _by_python(self, package: str, function: str, source: object) -> object:
        """Return the conversion of a struct by its generated function, with sharing allowed."""
        convert = self._functions.get((package, function))
        if convert is None:
            module = import_module(f"{self._package}.{package}.conversions")
            convert = self._functions[package, function] = getattr(module, function)
        return convert(source, share=True)


def native_codec(package: str) -> NativeCodec | None:
    """The native codec of a generated package; None unless the extension is installed, works, and knows its layouts."""
    try:
        extension = import_module("apigen_native")
        if getattr(extension, "FORMAT", None) != _FORMAT:
            return None
        return NativeCodec(package, extension.Codec())
    except MemoryError:
        raise
    except Exception:  # of an extension for another interpreter, or that is damaged
        return None


def _add_well_known(codec: _Codec) -> None:
    """Register the functions that read and write well-known types; the extension handles ordinary values of Time and
    Quantity itself.

    These functions may reject more than those that generated code calls: it then handles the values that they reject.
    """
    from . import json_values as json
    from . import wire_wellknown as wire
    from .wire import CHARACTERS

    def encoded(write: Callable[[Any], str], value: object) -> bytes:
        return write(value).encode(CHARACTERS)

    def raw_json(
        check: Callable[[object], RawExtension | FieldsV1], value: object
    ) -> bytes:
        return check(value).raw

    rows: tuple[tuple[Any, ...], ...] = (
        (
            "Time",
            Time.parse,
            json.encode_time,
            wire.decode_time,
            partial(encoded, wire.write_time),
            None,
            False,
            (Time, "seconds"),
        ),
        (
            "MicroTime",
            MicroTime.parse,
            json.encode_micro_time,
            wire.decode_micro_time,
            partial(encoded, wire.write_micro_time),
            None,
            False,
            None,
        ),
        (
            "Duration",
            Duration.parse,
            json.encode_duration,
            wire.decode_duration,
            partial(encoded, wire.write_duration),
            Duration(),
            True,
            None,
        ),
        (
            "Quantity",
            Quantity,
            json.encode_quantity,
            wire.decode_quantity,
            partial(encoded, wire.write_quantity),
            Quantity("0"),
            False,
            (Quantity, "_text"),
        ),
        (
            "RawExtension",
            RawExtension,
            partial(raw_json, json.encode_raw_extension),
            wire.decode_raw_extension,
            partial(encoded, wire.write_raw_extension),
            None,
            False,
            None,
        ),
        (
            "FieldsV1",
            FieldsV1,
            partial(raw_json, json.encode_fields_v1),
            wire.decode_fields_v1,
            partial(encoded, wire.write_fields_v1),
            None,
            False,
            None,
        ),
    )
    for row in rows:
        codec.add_well_known(*row)
