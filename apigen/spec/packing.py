"""Values of the model as bytes, and back. What is read creates values of known classes, and runs nothing."""

from __future__ import annotations

import importlib
import io
import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from operator import attrgetter
from typing import Any

from apigen.spec.collecting import gc_paused

PROTOCOL = 5

_Reduced = tuple[type, tuple[object, ...]]


class DamagedError(Exception):
    """Bytes that no such value was packed to."""


class Reducers(dict[type, Callable[[Any], _Reduced]]):
    """How values of each class are taken apart: dataclasses into their class and what it is called with.

    That is several times as fast as what dataclasses with slots do themselves, on the way out and on the way in. A class that
    says itself how it is taken apart is left alone.
    """

    def __missing__(self, class_: type) -> Callable[[Any], _Reduced]:
        is_own_way = "__reduce__" in vars(class_)
        if is_own_way or not is_dataclass(class_) or not all(field.init for field in fields(class_)):
            raise KeyError(class_)
        names = [field.name for field in fields(class_)]
        parts: Callable[[Any], tuple[object, ...]] = (
            attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, name) for name in names)
        )
        self[class_] = lambda value: (class_, parts(value))
        return self[class_]


class Packer(pickle.Pickler):
    """Packs values as they are."""

    dispatch_table = Reducers()


class Unpacker(pickle.Unpickler):
    """Knows the classes of the modules whose names begin with `own`, and nothing else: dataclasses, enums and `others`."""

    own: tuple[str, ...] = ()
    others: frozenset[tuple[str, str]] = frozenset()
    _known: dict[tuple[str, str], Any]

    def __init_subclass__(cls) -> None:
        cls._known = {}

    def find_class(self, module: str, name: str) -> Any:
        """A class that may be made."""
        known = self._known
        if (module, name) not in known:
            known[module, name] = self._found(module, name)
        return known[module, name]

    def _found(self, module: str, name: str) -> Any:
        if module.startswith(self.own) and "." not in name:
            found = getattr(importlib.import_module(module), name)
            if (
                (module, name) in self.others
                or is_dataclass(found)
                or (isinstance(found, type) and issubclass(found, Enum))
            ):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is not to be unpacked")


def packed(value: object, packer: type[pickle.Pickler] = Packer) -> bytes:
    """A value as bytes."""
    stream = io.BytesIO()
    packer(stream, PROTOCOL).dump(value)
    return stream.getvalue()


def unpacked(data: bytes, unpacker: type[pickle.Unpickler]) -> Any:
    """What was packed. Raises DamagedError for anything else; the caller knows the class."""
    try:
        with gc_paused():
            return unpacker(io.BytesIO(data)).load()
    except Exception as error:  # constructors may raise anything for values from a damaged entry
        raise DamagedError(str(error)) from error
