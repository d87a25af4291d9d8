"""Values of a review as bytes, and back. What is read creates values of known classes, and runs nothing."""

from __future__ import annotations

import importlib
import io
import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from operator import attrgetter
from typing import Any

from apigen.compat.memory.packed_types import PackedTypes
from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.surface import Version
from apigen.ir.model import Release
from apigen.spec.collecting import gc_paused

_PROTOCOL = 5
_OWN = ("apigen.compat.", "apigen.diagnostics.model", "apigen.ir.", "apigen.spec.model")
_VALUES = frozenset({("apigen.compat.verdict.example", "ABSENT")})
_TUPLES = (Release, TypeName)


class DamagedError(Exception):
    """Bytes that no such value was packed to."""


def pack(value: object) -> bytes:
    """A value of the model of reviews as bytes; surfaces in it are packed version by version."""
    return _packed(value, _Packer)


def unpack(data: bytes) -> Any:
    """What was packed. Raises DamagedError for anything else; the caller knows the class."""
    try:
        with gc_paused():
            return _Unpacker(io.BytesIO(data)).load()
    except (pickle.UnpicklingError, ImportError, AttributeError, EOFError, LookupError, TypeError, ValueError) as error:
        raise DamagedError(str(error)) from error


def _packed(value: object, packer: type[pickle.Pickler]) -> bytes:
    stream = io.BytesIO()
    packer(stream, _PROTOCOL).dump(value)
    return stream.getvalue()


_Reduced = tuple[type, tuple[object, ...]]


class _Reducers(dict[type, Callable[[Any], _Reduced]]):
    """How values of each class are taken apart: dataclasses into their class and what it is called with.

    That is several times as fast as what dataclasses with slots do themselves, on the way out and on the way in.
    """

    def __missing__(self, class_: type) -> Callable[[Any], _Reduced]:
        if not is_dataclass(class_) or not all(field.init for field in fields(class_)):
            raise KeyError(class_)
        names = [field.name for field in fields(class_)]
        parts: Callable[[Any], tuple[object, ...]] = (
            attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, name) for name in names)
        )
        self[class_] = lambda value: (class_, parts(value))
        return self[class_]


_REDUCERS = _Reducers()


class _PlainPacker(pickle.Pickler):
    """Packs values as they are."""

    dispatch_table = _REDUCERS


class _Packer(_PlainPacker):
    """Packs surfaces so that each version's types can be read for themselves."""

    def persistent_id(self, value: object) -> tuple[bytes, bytes] | None:
        """A version goes in as the bytes of its types and those of the rest."""
        if type(value) is not Version:
            return None
        return _packed(dict(value.types), _PlainPacker), _packed(replace(value, types={}), _PlainPacker)


class _Unpacker(pickle.Unpickler):
    """Knows the classes of the model, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        """A class of the model."""
        if module.startswith(_OWN) and "." not in name:
            found = getattr(importlib.import_module(module), name)
            if (module, name) in _VALUES or found in _TUPLES:
                return found
            if isinstance(found, type) and (is_dataclass(found) or issubclass(found, Enum)):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is not part of a review")

    def persistent_load(self, id_: Any) -> Version:
        """A version whose types are read when somebody looks at them."""
        types, bare = id_
        version = unpack(bare)
        if not isinstance(version, Version):
            raise pickle.UnpicklingError("no version")
        return replace(version, types=PackedTypes(types, unpack))
