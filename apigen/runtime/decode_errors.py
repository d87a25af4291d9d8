"""Finds every wrong value in a document that cannot be decoded: `decode(..., errors="all")`.

Generated decoders stop at the first error, and pay nothing for the others. Once a decoder has failed, this walk visits
the document once more, guided by the layouts of its classes, with the decoders of scalars that generated code uses.
"""

from __future__ import annotations

from importlib import import_module

from . import json_scalars as scalars
from .documents import path_of
from .errors import DecodeError, joined

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .documents import Place
    from .layouts import Member, Members

__all__ = ["wrong_values"]

_SCALARS: dict[str, Callable[[object], object]] = {
    "string": scalars.decode_string,
    "bool": scalars.decode_bool,
    "int32": scalars.decode_int32,
    "int64": scalars.decode_int64,
    "uint32": scalars.decode_uint32,
    "uint64": scalars.decode_uint64,
    "float32": scalars.decode_float32,
    "float64": scalars.decode_float64,
    "bytes": scalars.decode_bytes,
    "Time": scalars.decode_time,
    "MicroTime": scalars.decode_micro_time,
    "Duration": scalars.decode_duration,
    "Quantity": scalars.decode_quantity,
    "IntOrString": scalars.decode_int_or_string,
    "RawExtension": scalars.decode_raw_extension,
    "FieldsV1": scalars.decode_fields_v1,
}
"""The decoders by the names that layouts have for types."""

_DURATION = "Duration"
_NONE_FOR_NULL = ("optional", "nullable")


def wrong_values(cls: type, tree: object) -> tuple[list[DecodeError], list[str]]:
    """Find the errors of all wrong values in the tree of an object of a class, and the paths of unknown fields.

    The order is that in which generated decoders read: the fields of a class in their order, elements in theirs. A
    value of another type than its field is one error, whatever it contains. How often a type may nest in itself is
    known to the decoders only.
    """
    errors: list[DecodeError] = []
    unknown: list[str] = []
    members_of: dict[type, tuple[Members, frozenset[str]]] = {}
    waiting: list[tuple[object, Any, Place]] = [(tree, cls, None)]
    while waiting:
        value, type_, place = waiting.pop()
        while isinstance(type_, tuple) and type_[0] in ("nullable", "message"):
            if type_[0] == "nullable" and value is None:
                break
            type_ = type_[1]
        if value is None and type_ != _DURATION:
            continue  # null is the zero value
        below: list[tuple[object, Any, Place]] = []
        try:
            if isinstance(type_, str):
                _SCALARS[type_](value)
            elif isinstance(type_, type):
                data = scalars.decode_object(value)
                if type_ not in members_of:
                    members_of[type_] = _members(type_)
                members, names = members_of[type_]
                below = [
                    (data[member[0]], member[2], (place, member[0]))
                    for member in members
                    if member[0] in data and not _is_none(member, data[member[0]])
                ]
                if not names >= data.keys():
                    path = path_of(place)
                    unknown += [
                        joined(path, name) for name in data if name not in names
                    ]
            elif type_[0] == "list":
                items = scalars.decode_list(value)
                below = [(v, type_[1], (place, f"[{i}]")) for i, v in enumerate(items)]
            else:
                entries = scalars.decode_object(value)
                below = [(v, type_[1], (place, f"[{k}]")) for k, v in entries.items()]
        except DecodeError as error:
            errors.append(
                DecodeError(joined(path_of(place), error.path), error.problem)
            )
        waiting += reversed(below)
    return errors, unknown


def _members(cls: type) -> tuple[Members, frozenset[str]]:
    """The members of a class by its layout, and their names in JSON."""
    package = cls.__module__.rpartition(".")[0]
    members: Members = import_module(f"{package}.layouts").LAYOUTS[cls]
    return members, frozenset(member[0] for member in members)


def _is_none(member: Member, value: object) -> bool:
    """Return whether a value is null where the attribute may be None, which matters to types that reject null."""
    return value is None and member[3] in _NONE_FOR_NULL
