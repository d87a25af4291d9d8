"""`__init__` of dataclasses, made when the first value of a class is made, of code that classes of one shape share.

Compiling a function costs a quarter of a millisecond, giving other names to the parameters of one that is there a hundredth.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from types import CodeType, FunctionType
from typing import Any, NamedTuple

NOTHING: Any = type("_Nothing", (), {"__repr__": lambda self: "nothing"})()
"""The default of a field without one."""

_FACTORY = object()
"""The default of a parameter whose value is made for each object."""


class FieldOfClass(NamedTuple):
    """A field of a class: its name, type and default, and the methods that use it."""

    name: str
    type: object
    default: Any
    factory: Any
    init: bool
    repr: bool
    compare: bool


def first_init(class_: type, found: tuple[FieldOfClass, ...], *, frozen: bool, slots: bool) -> Callable[..., None]:
    """Return an `__init__` that replaces itself by the real one at the first call, and calls that."""

    def first_init(*args: object, **kwargs: object) -> None:
        init = _init(class_, found, frozen=frozen, slots=slots)
        type.__setattr__(class_, "__init__", init)
        init(*args, **kwargs)

    return first_init


def _init(class_: type, found: tuple[FieldOfClass, ...], *, frozen: bool, slots: bool) -> Callable[..., None]:
    """`__init__` as a person would write it. Its code is that of its shape; names and defaults are those of the class."""
    known: dict[str, Any] = {"FACTORY": _FACTORY}
    names, defaults, shape = ["self"], [], ""
    for each in found:
        has_default = each.default is not NOTHING or each.factory is not NOTHING
        if not each.init and not has_default:
            continue
        number = len(shape)
        shape += _letter(each)
        known[f"set{number}"] = _setter(class_, each, frozen=frozen, slots=slots)
        known[f"default{number}"] = each.default
        if not each.init:
            continue
        names.append(each.name)
        if has_default:
            defaults.append(_FACTORY if each.factory is not NOTHING else each.default)
        elif defaults:
            raise TypeError(f"non-default argument {each.name!r} follows default argument")
    code = _code(shape, hasattr(class_, "__post_init__"))
    code = code.replace(co_varnames=tuple(names), co_filename=f"<__init__ of {class_.__qualname__}>")
    init = FunctionType(code, known, "__init__", tuple(defaults))
    init.__qualname__ = f"{class_.__qualname__}.__init__"
    return init


def _letter(field: FieldOfClass) -> str:
    """Return how a field gets its value: from a p(arameter), from a factory that m(akes) it, or always its d(efault)."""
    return "p" if field.init else "m" if field.factory is not NOTHING else "d"


def _setter(class_: type, field: FieldOfClass, *, frozen: bool, slots: bool) -> Callable[[object, object], None]:
    """Return a function that sets a field, even in a frozen class; without a value, it calls the factory."""
    name, make = field.name, field.factory
    if slots:
        put: Callable[[object, object], None] = getattr(class_, name).__set__
    elif frozen:
        put = partial(_put, name)
    else:
        put = partial(_assign, name)
    return put if make is NOTHING else lambda self, value: put(self, make() if value is _FACTORY else value)


def _put(name: str, self: object, value: object) -> None:
    object.__setattr__(self, name, value)


def _assign(name: str, self: object, value: object) -> None:
    setattr(self, name, value)


@cache
def _code(shape: str, is_checked: bool) -> CodeType:
    """The code of `__init__` for fields that get their values this way."""
    values = {"p": "p{0}", "m": "FACTORY", "d": "default{0}"}
    parameters = "".join(f", p{number}" for number, letter in enumerate(shape) if letter == "p")
    body = [f"set{number}(self, {values[letter].format(number)})" for number, letter in enumerate(shape)]
    body += ["self.__post_init__()"] if is_checked else []
    known: dict[str, Any] = {}
    exec(compile(f"def __init__(self{parameters}):\n " + "\n ".join(body or ["pass"]), "<__init__>", "exec"), known)
    code: CodeType = known["__init__"].__code__
    return code
