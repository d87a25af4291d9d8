"""`__init__` of dataclasses as in the standard library, without importing `dataclasses`.

Importing it takes longer than importing the types of most versions, and it creates all methods of a class at once.
Code that only creates objects, such as decoders, needs this one method. Classes with the same fields share its code.
"""

from __future__ import annotations

import sys
from functools import lru_cache

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import CodeType, FunctionType

__all__ = ["initializer"]

_SHAPES = 1024
"""Maximum number of lists of fields whose code is cached."""


class _NewInstance:
    """The default of a parameter whose value a function creates for each object."""

    def __repr__(self) -> str:
        return "<factory>"


_NEW_INSTANCE = _NewInstance()


def initializer(
    cls: type[object],
    defaults: Mapping[str, object],
    factories: Mapping[str, Callable[[], object]],
    kw_only: bool,
    frozen: bool,
) -> FunctionType:
    """Return the method for a class whose fields are its slots; each has a default, a factory, or neither.

    It has the names, module and annotations that the standard library's has. Raises TypeError where a field without
    a default follows one that has it, and neither needs a name.
    """
    fields: tuple[str, ...] = vars(cls)["__slots__"]
    new_instance = _new_instance()
    values = {
        name: new_instance if name in factories else defaults[name]
        for name in fields
        if name in factories or name in defaults
    }
    known: dict[str, Callable[..., FunctionType]] = {}
    code = _code(fields, frozenset(factories), kw_only, frozen)
    exec(code, vars(sys.modules[cls.__module__]), known)
    makers = (factories[name] for name in fields if name in factories)
    init = known["make"](object.__setattr__, new_instance, *makers)
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {**cls.__annotations__, "return": None}
    if kw_only:
        init.__kwdefaults__ = values or None
    else:
        init.__defaults__ = _in_order(fields, values) or None
    return init


def _new_instance() -> object:
    """Return the marker of the standard library if its module is loaded, so that signatures are equal."""
    loaded = sys.modules.get("dataclasses")
    return getattr(loaded, "_HAS_DEFAULT_FACTORY", _NEW_INSTANCE)


def _in_order(
    fields: tuple[str, ...], values: Mapping[str, object]
) -> tuple[object, ...]:
    first = next((at for at, name in enumerate(fields) if name in values), len(fields))
    for name in fields[first:]:
        if name not in values:
            raise TypeError(f"non-default argument {name!r} follows default argument")
    return tuple(values[name] for name in fields[first:])


@lru_cache(maxsize=_SHAPES)
def _code(
    fields: tuple[str, ...], factories: frozenset[str], kw_only: bool, frozen: bool
) -> CodeType:
    """The code of `make`, which returns the method without its defaults."""
    receiver = "self" if "self" not in fields else "__dataclass_self__"
    parameters = [receiver, *(["*"] if kw_only and fields else []), *fields]
    lines = [f" def __init__({', '.join(parameters)}):"]
    for name in fields:
        value = name
        if name in factories:
            value = f"__make_{name}__() if {name} is __made_anew__ else {name}"
        assignment = (
            f"__set__({receiver}, {name!r}, {value})"
            if frozen
            else f"{receiver}.{name} = {value}"
        )
        lines.append(f"  {assignment}")
    if not fields:
        lines.append("  pass")
    outer = [
        "__set__",
        "__made_anew__",
        *(f"__make_{name}__" for name in fields if name in factories),
    ]
    text = "\n".join([f"def make({', '.join(outer)}):", *lines, " return __init__"])
    return compile(text, "<string>", "exec")
