"""Dataclasses that are cheap to import: `dataclass` and `field` as in the standard library, and `new`.

The standard library writes and compiles the methods of a class while the module that declares it is imported, some
0.3 ms for each. Here it does so when one of them is first used, on a class with the same fields, whose methods are then
moved to the declared class. Only `__init__` is created here (in `initializers`), with the first object: most programs
need no other method, and never import the standard library's module, which takes longer than all types of a version.
`fields`, `replace`, `asdict`, `copy`, `pickle`, `==`, `repr`, `match` and `inspect.signature` work as with other
dataclasses, and type checkers see the standard library's own.
Classes also have the hooks by which pydantic reads and writes them as their codec does (`pydantic_hooks`).
Every annotation of the class is a field; there are no `ClassVar`, `InitVar` and base classes among them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache

__all__ = ["dataclass", "field", "new"]

TYPE_CHECKING = False  # as type checkers know the name; importing it would cost more than this whole module
if TYPE_CHECKING:
    from typing import Any

new = object.__new__
"""Creates an object of a class without any of its fields; looking this up at each call takes as long as setting five."""

_ALWAYS = (
    "__dataclass_fields__",
    "__dataclass_params__",
    "__init__",
    "__match_args__",
    "__repr__",
    *(("__replace__",) if sys.version_info >= (3, 13) else ()),
)
_COMPARING = ("__eq__",)
_ORDERING = ("__ge__", "__gt__", "__le__", "__lt__")
_FREEZING = ("__delattr__", "__getstate__", "__setattr__", "__setstate__")


def _call_plugin(name: str) -> object:
    """Return a class method that calls a function of `pydantic_hooks` with its arguments.

    The module is imported by its name when pydantic calls the method: no other part of the runtime needs it.
    """

    def call(cls: type, about: object, handler: Any) -> object:
        plugin = f"{__package__}.pydantic_hooks"
        __import__(plugin)  # `importlib` would cost more than this whole module
        return getattr(sys.modules[plugin], name)(cls, about, handler)

    return classmethod(call)


PYDANTIC_HOOKS: dict[str, object] = {
    "__get_pydantic_core_schema__": _call_plugin("core_schema"),
    "__get_pydantic_json_schema__": _call_plugin("json_schema"),
}
"""Methods of every class; without them, pydantic would use the names of attributes in place of those in JSON."""


class _Factory:
    """The default factory of a field."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make


class _Late:
    """Placeholder of a method (or another attribute) of a dataclass, which is created at the first lookup."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, obj: object, cls: type[object]) -> object:
        """Return the attribute that the standard library creates, bound as if it existed from the start."""
        # Python 3.14's inspect.signature binds the method to the class, as if the class were an object of `type`.
        owner = obj if isinstance(obj, type) else cls
        class_ = next(base for base in owner.__mro__ if base in _declared)
        if self.name == "__init__":
            _initialize(class_)
        else:
            _complete(class_)
        value: object = class_.__dict__[self.name]
        bind = getattr(type(value), "__get__", None)
        return value if bind is None else bind(value, obj, cls)


_declared: dict[type[object], tuple[type[object], dict[str, bool]] | None] = {}
"""Each class made here, with the class that was declared and its parameters; None once it is complete."""


def _late_field(*, default_factory: Callable[[], object]) -> object:
    """Replacement of `dataclasses.field` for a class that is completed later."""
    return _Factory(default_factory)


def _late_dataclass(**parameters: bool) -> Callable[[type[object]], type[object]]:
    """Replacement of `dataclasses.dataclass`, called with `slots=True` and other parameters."""
    late = _late_attributes(**parameters)
    return lambda declared: _with_slots(declared, late, parameters)


@cache
def _late_attributes(
    eq: bool = True, order: bool = False, frozen: bool = False, **_: bool
) -> dict[str, object]:
    """Return the attributes that the standard library adds to a class with these parameters."""
    names = [*_ALWAYS]
    names += _COMPARING if eq else ()
    names += _ORDERING if order else ()
    names += _FREEZING if frozen else ()
    late: dict[str, object] = {name: _Late(name) for name in names}
    late |= PYDANTIC_HOOKS
    if eq:
        late["__hash__"] = _Late("__hash__") if frozen else None
    return late


def _with_slots(
    declared: type[object], late: dict[str, object], parameters: dict[str, bool]
) -> type[object]:
    """Return the declared class with slots for its fields, and the attributes of `late` that it does not define itself."""
    namespace = {**late, **declared.__dict__}
    del namespace["__dict__"], namespace["__weakref__"]
    # Python 3.14 keeps no annotations in the namespace, unless they are strings; asking the class evaluates them.
    fields = tuple(declared.__annotations__)
    for name in fields:
        namespace.pop(name, None)
    namespace["__slots__"] = fields
    namespace["__qualname__"] = declared.__qualname__
    class_ = type(declared.__name__, declared.__bases__, namespace)
    _declared[class_] = declared, parameters
    return class_


def _initialize(class_: type[object]) -> None:
    """Set the `__init__` of a class. Two threads may do so at once with the same result."""
    waiting = _declared[class_]
    if waiting is None:
        return
    declared, parameters = waiting
    if hasattr(declared, "__post_init__"):
        _complete(class_)
        return
    from .initializers import initializer

    written = declared.__dict__
    defaults = {
        name: written[name] for name in class_.__annotations__ if name in written
    }
    factories = {
        name: default.make
        for name, default in defaults.items()
        if isinstance(default, _Factory)
    }
    kw_only, frozen = (parameters.get(name, False) for name in ("kw_only", "frozen"))
    init = initializer(class_, defaults, factories, kw_only=kw_only, frozen=frozen)
    type.__setattr__(class_, "__init__", init)


def _complete(class_: type[object]) -> None:
    """Set the remaining methods of a class. Two threads may do so at once with the same result."""
    waiting = _declared[class_]
    if waiting is None:
        return
    import dataclasses

    declared, parameters = waiting
    namespace = {**declared.__dict__, "__qualname__": declared.__qualname__}
    del namespace["__dict__"], namespace["__weakref__"]
    for name, default in namespace.items():
        if isinstance(default, _Factory):
            namespace[name] = dataclasses.field(default_factory=default.make)
    twin = type(declared.__name__, declared.__bases__, namespace)
    methods = dataclasses.dataclass(**parameters)(twin).__dict__
    for name, value in list(class_.__dict__.items()):
        if isinstance(value, _Late):
            setattr(class_, name, methods[name])
    _declared[class_] = None


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
else:
    dataclass, field = _late_dataclass, _late_field
