"""`__init__`, `__hash__` and comparisons of dataclasses as in the standard library, without importing `dataclasses`.

Importing it takes longer than importing the types of most versions, and it creates all methods of a class at once.
Code that only creates and compares objects, such as decoders, needs these methods. Compiling one takes a quarter of a
millisecond, so classes share code: of `__init__` if their fields get their values alike, of the others if they have as
many fields. Each class has it with its own names.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from types import MemberDescriptorType

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import CodeType, FunctionType
    from typing import Any

_SHAPES = 1024
"""Maximum number of lists of fields whose code is cached."""
_SYMBOLS = {
    "__eq__": "==",
    "__ge__": ">=",
    "__gt__": ">",
    "__le__": "<=",
    "__lt__": "<",
}


class _NewInstance:
    """The default of a parameter whose value a function creates for each object."""

    def __repr__(self) -> str:
        return "<factory>"


_NEW_INSTANCE = _NewInstance()


def initializer(
    cls: type[object],
    fields: Mapping[str, tuple[object, Mapping[str, Any]]],
    kw_only: bool,
    frozen: bool,
) -> FunctionType:
    """Return the method for a class with these fields: the type of each, and the options of its `field(...)`.

    It has the names, module and annotations that the standard library's has. Raises TypeError where a field without
    a default follows one that has it, and neither needs a name.
    """
    parameters = [
        name for name, (_, given) in fields.items() if given.get("init", True)
    ]
    factories = {
        name: factory
        for name, (_, given) in fields.items()
        if (factory := _factory(given)) is not None
    }
    new_instance = _new_instance()
    values = {
        name: new_instance if name in factories else fields[name][1]["default"]
        for name in parameters
        if name in factories or "default" in fields[name][1]
    }
    assigned = [name for name in fields if name in parameters or name in factories]
    shape = "".join(
        "p" if name not in factories else "f" if name in parameters else "c"
        for name in assigned
    )
    known: dict[str, Callable[..., FunctionType]] = {}
    exec(_code(shape, kw_only, frozen), vars(sys.modules[cls.__module__]), known)
    setters = [_setter(cls, name) for name in assigned] if frozen else []
    init = known["make"](new_instance, *factories.values(), *setters)
    init.__code__ = _renamed(init.__code__, assigned)
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {name: fields[name][0] for name in parameters} | {
        "return": None
    }
    if kw_only:
        init.__kwdefaults__ = values or None
    else:
        init.__defaults__ = _in_order(parameters, values) or None
    return init


def method_of_fields(cls: type[object], name: str, fields: list[str]) -> FunctionType:
    """Return the `__hash__` or a comparison (`__eq__`, `__lt__`, …) of a class, which hashes or compares these fields as
    tuples.
    """
    known: dict[str, FunctionType] = {}
    exec(_method_code(name, len(fields)), vars(sys.modules[cls.__module__]), known)
    method = known["method"]
    method.__code__ = _renamed(method.__code__, fields).replace(co_name=name)
    method.__name__, method.__qualname__ = name, f"{cls.__qualname__}.{name}"
    return method


def _factory(given: Mapping[str, Any]) -> Callable[[], object] | None:
    """Return the function that creates the value of a field, also if no parameter takes it; None without one."""
    if "default_factory" in given:
        factory: Callable[[], object] = given["default_factory"]
        return factory
    if "default" in given and not given.get("init", True):
        return lambda: given["default"]
    return None


def _setter(cls: type[object], name: str) -> Callable[[object, object], None]:
    """Return a function that sets a field of a frozen class; that of a slot is faster than `object.__setattr__`."""
    slot = getattr(cls, name, None)
    if isinstance(slot, MemberDescriptorType):
        return slot.__set__
    return lambda self, value: object.__setattr__(self, name, value)


def _new_instance() -> object:
    """Return the marker of the standard library if its module is loaded, so that signatures are equal."""
    loaded = sys.modules.get("dataclasses")
    return getattr(loaded, "_HAS_DEFAULT_FACTORY", _NEW_INSTANCE)


def _in_order(
    parameters: list[str], values: Mapping[str, object]
) -> tuple[object, ...]:
    first = next(
        (at for at, name in enumerate(parameters) if name in values), len(parameters)
    )
    for name in parameters[first:]:
        if name not in values:
            raise TypeError(f"non-default argument {name!r} follows default argument")
    return tuple(values[name] for name in parameters[first:])


@lru_cache(maxsize=_SHAPES)
def _code(shape: str, kw_only: bool, frozen: bool) -> CodeType:
    """Return the code of `make`, which returns the method with numbers for names, and without its defaults.

    A letter of `shape` is a field: it is set to a p(arameter), or to the result of a f(actory) without one, or always
    (c).
    """
    parameters = [f"p{at}" for at, letter in enumerate(shape) if letter != "c"]
    factories = [f"make{at}" for at, letter in enumerate(shape) if letter != "p"]
    values = {
        "p": "p{0}",
        "f": "make{0}() if p{0} is new_instance else p{0}",
        "c": "make{0}()",
    }
    setters = [f"set{at}" for at in range(len(shape))] if frozen else []
    assignment = "set{0}(self, {1})" if frozen else "self.a{0} = {1}"
    only_named = ["*"] if kw_only and parameters else []
    lines = [
        f"def make({', '.join(['new_instance', *factories, *setters])}):",
        f" def __init__({', '.join(['self', *only_named, *parameters])}):",
        *(
            "  " + assignment.format(at, values[letter].format(at))
            for at, letter in enumerate(shape)
        ),
        "  pass",
        " return __init__",
    ]
    return compile("\n".join(lines), "<string>", "exec")


@lru_cache(maxsize=_SHAPES)
def _method_code(name: str, count: int) -> CodeType:
    """Return the code of `method`, which hashes or compares so many fields, with numbers for names."""
    own, others = (
        f"({''.join(f'{owner}.a{at}, ' for at in range(count))})"
        for owner in ("self", "other")
    )
    if name == "__hash__":
        lines = [f"def method(self): return hash({own})"]
    else:
        lines = [
            "def method(self, other):",
            " if other.__class__ is self.__class__:",
            f"  return {own} {_SYMBOLS[name]} {others}",
            " return NotImplemented",
        ]
    return compile("\n".join(lines), "<string>", "exec")


def _renamed(code: CodeType, names: list[str]) -> CodeType:
    """Return the code of a method with the names of the fields in place of their numbers."""
    known = {f"{kind}{at}": name for at, name in enumerate(names) for kind in "pa"}
    known["self"] = "self" if "self" not in names else "__dataclass_self__"
    varnames, attributes = (
        tuple([known.get(name, name) for name in found])
        for found in (code.co_varnames, code.co_names)
    )
    return code.replace(co_varnames=varnames, co_names=attributes)
