"""The layouts of generated classes: their members, and which of them may be None.

A version's or hub's `layouts` module has the members of its classes, in the order of JSON. A member is a tuple: name in
JSON, attribute, type, presence, field numbers of protobuf (those of the inline messages around it, then its own). A type
is a name ("string", "Time"), a class, or a pair: ("list", item), ("map", value), ("nullable", item), and
("message", list or map) for one that is a message of its own.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from typing import Any, TypeAlias


Member: TypeAlias = tuple[
    str, str, "type | str | tuple[Any, ...]", str, tuple[int, ...]
]
Members: TypeAlias = tuple[Member, ...]

_NONE_AS_ZERO = frozenset({"Time", "MicroTime", "RawExtension", "FieldsV1"})


def members_of(cls: type[object]) -> Members | None:
    """Return the members of a generated class; None for other classes. Imports the layouts of its version."""
    package, _, module = cls.__module__.rpartition(".")
    if module != "types" or "__slots__" not in cls.__dict__:
        return None
    name = f"{package}.layouts"
    try:
        __import__(name)
    except ImportError:
        return None
    found: Members | None = sys.modules[name].LAYOUTS.get(cls)
    return found


def can_be_none(type_: Any, presence: str) -> bool:
    """Return whether an attribute of a type and a presence may be None."""
    if presence in ("nullable", "optional"):
        return True
    if presence == "omitEmpty" and (isinstance(type_, tuple) or type_ == "bytes"):
        return True
    return isinstance(type_, str) and type_ in _NONE_AS_ZERO
