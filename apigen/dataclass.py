"""`dataclass` for programs that start often: a class costs a tenth of what it costs in the standard library.

Nearly all of that cost is source text that is compiled for methods, of classes of which most runs never make a value. Here
`__init__` is compiled when the first value is made, and the other methods are closures over the names of the fields. What
comes out is a dataclass for everybody else: for `fields`, `replace` and `asdict`, for `match`, and for type checkers.
A class whose base is made by this `dataclass` has to be made by it, too.
"""

from __future__ import annotations

import dataclasses
import reprlib
from collections.abc import Callable
from operator import attrgetter, ge, gt, le, lt
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

_Compare = Callable[[Any, Any], bool]
_ORDER: tuple[tuple[str, _Compare], ...] = (("__lt__", lt), ("__le__", le), ("__gt__", gt), ("__ge__", ge))

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(class_=None, /, *, frozen=False, slots=False, eq=True, order=False):
        """The class as a dataclass; the options are those of the standard library."""

        def made(class_):
            return _made(class_, frozen=frozen, slots=slots, eq=eq, order=order)

        return made if class_ is None else made(class_)


def _made(class_: type, *, frozen: bool, slots: bool, eq: bool, order: bool) -> type:
    own = set(vars(class_))
    made: type = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(class_)
    found = dataclasses.fields(made)
    compared = _values([field.name for field in found if field.compare])
    methods: dict[str, object] = {"__init__": _first_init(made, frozen=frozen, slots=slots), "__repr__": _repr}
    if eq:
        methods["__eq__"] = _eq(compared)
        methods["__hash__"] = _hash(compared) if frozen else None
    if order:
        methods.update((name, _comparison(compare, compared)) for name, compare in _ORDER)
    if frozen:
        names = frozenset(field.name for field in found)
        methods.update(__setattr__=_refused(made, names, "assign to"), __delattr__=_refused(made, names, "delete"))
    if frozen and slots:
        methods.update(__getstate__=_getstate, __setstate__=_setstate)
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    return made


def _values(names: list[str]) -> Callable[[Any], object]:
    """What gives the values of some fields as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda value: ()
    only = attrgetter(names[0])
    return lambda value: (only(value),)


def _first_init(class_: type, *, frozen: bool, slots: bool) -> Callable[..., None]:
    """An `__init__` that puts the real one in its place, and goes on with that."""

    def first_init(*args: object, **kwargs: object) -> None:
        init = _init(class_, frozen=frozen, slots=slots)
        type.__setattr__(class_, "__init__", init)
        init(*args, **kwargs)

    return first_init


def _init(class_: type, *, frozen: bool, slots: bool) -> Callable[..., None]:
    """`__init__` as a person would write it. Its text is made of the names of fields in the source of apigen, of nothing else."""
    known: dict[str, Any] = {"_FACTORY": object(), "_set": object.__setattr__}
    parameters, body = ["self"], []
    for field in dataclasses.fields(class_):
        name, value = field.name, field.name
        if field.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"] = field.default_factory
            value = f"{name} if {name} is not _FACTORY else _make_{name}()" if field.init else f"_make_{name}()"
            parameters += [f"{name}=_FACTORY"] if field.init else []
        elif field.default is not dataclasses.MISSING:
            known[f"_default_{name}"] = field.default
            parameters += [f"{name}=_default_{name}"] if field.init else []
            value = name if field.init else f"_default_{name}"
        elif field.init:
            parameters.append(name)
        else:
            continue
        known[f"_set_{name}"] = getattr(class_, name).__set__ if frozen and slots else None
        body.append(_assignment(name, value, frozen=frozen, slots=slots))
    body += ["self.__post_init__()"] if hasattr(class_, "__post_init__") else []
    text = f"def __init__({', '.join(parameters)}):\n " + "\n ".join(body or ["pass"])
    exec(compile(text, f"<__init__ of {class_.__qualname__}>", "exec"), known)
    init: Callable[..., None] = known["__init__"]
    init.__qualname__ = f"{class_.__qualname__}.__init__"
    return init


def _assignment(name: str, value: str, *, frozen: bool, slots: bool) -> str:
    if not frozen:
        return f"self.{name} = {value}"
    return f"_set_{name}(self, {value})" if slots else f"_set(self, {name!r}, {value})"


def _eq(compared: Callable[[Any], object]) -> Callable[[Any, object], bool]:
    def equal(self: Any, other: object) -> bool:
        if self is other:
            return True
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    return equal


def _hash(compared: Callable[[Any], object]) -> Callable[[Any], int]:
    return lambda self: hash(compared(self))


def _comparison(compare: _Compare, compared: Callable[[Any], object]) -> Callable[[Any, object], bool]:
    def ordered(self: Any, other: object) -> bool:
        return compare(compared(self), compared(other)) if other.__class__ is self.__class__ else NotImplemented

    return ordered


def _refused(class_: type, names: frozenset[str], doing: str) -> Callable[..., None]:
    """A `__setattr__` or `__delattr__` that leaves the fields alone, and all else of the class itself."""
    go_on = object.__setattr__ if doing == "assign to" else object.__delattr__

    def refuse(self: object, name: str, *value: object) -> None:
        if type(self) is class_ or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot {doing} field {name!r}")
        go_on(self, name, *value)

    return refuse


@reprlib.recursive_repr()
def _repr(self: Any) -> str:
    fields = (field for field in dataclasses.fields(self) if field.repr)
    shown = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in fields)
    return f"{self.__class__.__qualname__}({shown})"


def _getstate(self: Any) -> list[object]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _setstate(self: Any, state: list[object]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
