"""Enums that are fast to import: `StrEnum` as in the standard library.

The standard library makes the members of an enum while the module that declares it is imported, some 0.05 ms for each
enum; here it does so when the enum is first used. From then on its type is `enum.EnumType` like that of any other, and
until then a subclass of that. Type checkers see the standard library's own.
"""

from __future__ import annotations

import enum
from _thread import allocate_lock  # `threading` would cost as much as some enums

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`


_OWN = frozenset({"__dict__", "__doc__", "__module__", "__qualname__", "__weakref__"})
"""Attributes that an enum has from the start."""

_declared: dict[type, dict[str, object]] = {}
"""The class body of each enum that has not been used yet."""

_lock = allocate_lock()


class _LateType(enum.EnumType):
    """The type of an enum that has not been used yet: any access creates its members first."""

    @classmethod
    def __prepare__(  # type: ignore[override]
        cls, name: str, bases: tuple[type, ...]
    ) -> dict[str, object]:
        return {}

    def __new__(
        cls, name: str, bases: tuple[type, ...], body: dict[str, object]
    ) -> type:
        if any(base in _declared for base in bases):
            # the standard library raises the error: an enum with members has no subclasses
            return _enum(name, bases, body)
        own = {key: body[key] for key in _OWN & body.keys()}
        class_ = type.__new__(cls, name, (enum.StrEnum,), own)
        _declared[class_] = body
        return class_

    def __getattribute__(cls, name: str) -> object:
        _complete(cls)
        value: object = type.__getattribute__(cls, name)
        return value

    def __init__(cls, *_: object) -> None:
        pass


def _first_complete(name: str) -> object:
    """Return the method of an enum's type with a name; it first creates the members of the enum."""
    method = getattr(enum.EnumType, name)

    def complete_first(cls: type, *args: object, **named: object) -> object:
        _complete(cls)
        return method(cls, *args, **named)

    return complete_first


# Python looks these up in the type of a class, without `__getattribute__`.
for _name in (
    "__call__",
    "__contains__",
    "__delattr__",
    "__dir__",
    "__getitem__",
    "__iter__",
    "__len__",
    "__repr__",
    "__reversed__",
    "__setattr__",
):
    type.__setattr__(_LateType, _name, _first_complete(_name))


def _enum(name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
    """Return an enum of the standard library."""
    namespace = enum.EnumType.__prepare__(name, bases)
    for key, value in body.items():
        namespace[key] = value
    class_: type = enum.EnumType(name, bases, namespace)
    return class_


def _complete(class_: type) -> None:
    """Make an enum's members. They are those of an enum of the standard library, which become members of this one."""
    with _lock:
        body = _declared.get(class_)
        if body is None:
            return
        twin = _enum(type.__getattribute__(class_, "__name__"), (enum.StrEnum,), body)
        for name, value in list(vars(twin).items()):
            if name not in _OWN:
                type.__setattr__(class_, name, value)
        for member in vars(twin)["_member_map_"].values():
            member.__class__ = class_
            member.__objclass__ = class_
        type.__setattr__(class_, "__class__", enum.EnumType)
        del _declared[class_]


if TYPE_CHECKING:
    from enum import StrEnum as StrEnum
else:
    StrEnum = type.__new__(
        _LateType, "StrEnum", (enum.StrEnum,), {"__module__": __name__}
    )
