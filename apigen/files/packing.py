"""Values as bytes, as caches store them: dataclasses and enums of the compiler, and the plain values in them."""

from __future__ import annotations

import functools
import importlib
import io
import pickle
from collections.abc import Callable
from enum import Enum
from operator import attrgetter
from typing import Any

from apigen.dataclass import argument_names, is_dataclass
from apigen.runtime.gc import gc_paused

PROTOCOL = 5

_OWN = (
    "apigen.review.",
    "apigen.build.built",
    "apigen.diagnostics.model",
    "apigen.ir.",
    "apigen.language.model",
    "apigen.language.releases",
)
"""Modules whose dataclasses and enums may be unpacked, by the beginnings of their names."""

_OTHERS = frozenset(
    {
        ("apigen.ir.surface", "TypeName"),
        ("apigen.review.results", "ABSENT"),
        ("apigen.language.releases", "Release"),
        ("apigen.ir.model", "TypeId"),
    }
)
"""Other names of these modules that may be unpacked."""

_Reduced = tuple[type, tuple[object, ...]]


class DamagedError(Exception):
    """The bytes are not those of a packed value."""


class _Reducers(dict[type, Callable[[Any], _Reduced]]):
    """The pickle reductions by class: dataclasses are reduced to their class and its arguments.

    This is several times as fast as the default for dataclasses with slots, for writing and reading. A class with its
    own `__reduce__` keeps it.
    """

    def __missing__(self, class_: type) -> Callable[[Any], _Reduced]:
        names = argument_names(class_) if is_dataclass(class_) and "__reduce__" not in vars(class_) else None
        if names is None:
            raise KeyError(class_)
        parts: Callable[[Any], tuple[object, ...]] = (
            attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, name) for name in names)
        )
        self[class_] = lambda value: (class_, parts(value))
        return self[class_]


class _Packer(pickle.Pickler):
    """Packs dataclasses by their arguments."""

    dispatch_table = _Reducers()


class _Unpacker(pickle.Unpickler):
    """Only creates classes of the compiler."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a permitted class."""
        return _known_class(module, name)


def pack(value: object) -> bytes:
    """Return a value as bytes."""
    stream = io.BytesIO()
    _Packer(stream, PROTOCOL).dump(value)
    return stream.getvalue()


def unpack(data: bytes) -> Any:
    """Return the packed value. Raises DamagedError for other data; the caller checks the class."""
    try:
        with gc_paused():
            return _Unpacker(io.BytesIO(data)).load()
    except Exception as error:  # constructors may raise anything for values from a damaged entry
        raise DamagedError(str(error)) from error


@functools.cache
def _known_class(module: str, name: str) -> Any:
    if module.startswith(_OWN) and "." not in name:
        found = getattr(importlib.import_module(module), name)
        is_enum = isinstance(found, type) and issubclass(found, Enum)
        if (module, name) in _OTHERS or is_dataclass(found) or is_enum:
            return found
    raise pickle.UnpicklingError(f"{module}.{name} is not to be unpacked")
