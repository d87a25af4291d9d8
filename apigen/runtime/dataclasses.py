"""Dataclasses that are cheap to import: `dataclass` and `field` as in the standard library, and `new`.

The standard library writes and compiles the methods of a class while the module that declares it is imported, some
0.3 ms for each. Here it does so when one of them is first used, on a class with the same fields, whose methods are then
moved to the declared class. `__init__`, `__hash__` and comparisons are created in `dataclass_methods`: most programs
need no other method, and never import the standard library's module, which takes longer than all types of a version.
`fields`, `replace`, `asdict`, `copy`, `pickle`, `==`, `repr`, `match` and `inspect.signature` work as with other
dataclasses, and type checkers see the standard library's own.
Classes also have the hooks by which pydantic reads and writes them as their codec does (`pydantic_hooks`).
Every annotation of a class is a field: there are no `ClassVar`, `InitVar` and `KW_ONLY` among them. A class whose base
is a dataclass of this module must be one, too, for its own fields to count.
"""

from __future__ import annotations

import sys
from functools import cache, partial

TYPE_CHECKING = False  # True for type checkers; importing `typing` would take longer than this whole module
if TYPE_CHECKING:
    from collections.abc import Callable
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
_FREEZING = ("__delattr__", "__setattr__")
_PICKLING = ("__getstate__", "__setstate__")


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


class _Field:
    """The options of a field, as the standard library's `field` takes them."""

    __slots__ = ("options",)

    def __init__(self, **options: Any) -> None:
        self.options = options


class _Late:
    """Placeholder of a method (or another attribute) of a dataclass, which is created at the first lookup."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, obj: object, cls: type[object]) -> object:
        """Return the attribute that the standard library creates, bound as if it existed from the start."""
        # Python 3.14's inspect.signature binds the method to the class, as if the class were an object of `type`.
        owner = obj if isinstance(obj, type) else cls
        class_ = next(base for base in owner.__mro__ if _is_created(base, self.name))
        _CREATED_HERE.get(self.name, _complete)(class_)
        value: object = class_.__dict__[self.name]
        bind = getattr(type(value), "__get__", None)
        return value if bind is None else bind(value, obj, cls)


_declared: dict[type[object], tuple[dict[str, Any], dict[str, bool]]] = {}
"""Each class made here, with the namespace of the class that was declared and its parameters."""


def _is_created(class_: type[object], name: str) -> bool:
    """Return whether an attribute of a class was not declared, but is created here."""
    return (
        class_ in _declared
        and name in vars(class_)
        and name not in _declared[class_][0]
    )


def _late_dataclass(class_: Any = None, /, **parameters: bool) -> Any:
    """Replacement of `dataclasses.dataclass`, with the same parameters."""
    if class_ is not None:
        return _late_dataclass()(class_)
    late = _late_attributes(**parameters)
    return lambda declared: _with_late_attributes(declared, late, parameters)


@cache
def _late_attributes(
    eq: bool = True,
    order: bool = False,
    frozen: bool = False,
    slots: bool = False,
    **_: bool,
) -> dict[str, object]:
    """Return the attributes that the standard library adds to a class with these parameters."""
    names = [*_ALWAYS]
    names += _COMPARING if eq else ()
    names += _ORDERING if order else ()
    names += _FREEZING if frozen else ()
    names += _PICKLING if frozen and slots else ()
    late: dict[str, object] = {name: _Late(name) for name in names}
    late |= PYDANTIC_HOOKS
    if eq:
        late["__hash__"] = _Late("__hash__") if frozen else None
    return late


def _with_late_attributes(
    declared: type[object], late: dict[str, object], parameters: dict[str, bool]
) -> type[object]:
    """Return the declared class with the attributes of `late` that it does not define itself.

    It has slots for those of its fields that no base has, or the defaults of its fields as attributes.
    """
    own = {**declared.__dict__, "__qualname__": declared.__qualname__}
    for name in ("__dict__", "__weakref__"):
        own.pop(name, None)  # a base may have them
    namespace = {**late, **own}
    # Python 3.14 keeps no annotations in the namespace, unless they are strings; asking the class evaluates them.
    fields = declared.__annotations__
    slots = parameters.get("slots", False)
    for name in fields:
        if slots or isinstance(namespace.get(name), _Field):
            namespace.pop(name, None)
    if slots:
        inherited = _fields(declared)
        namespace["__slots__"] = tuple(name for name in fields if name not in inherited)
    class_ = type(declared.__name__, declared.__bases__, namespace)
    _declared[class_] = own, parameters
    return class_


def _fields(class_: type[object]) -> dict[str, tuple[object, dict[str, Any]]]:
    """Return the fields of a class, those of its bases first, each with its type and options.

    Fields of classes that the standard library made are not among them.
    """
    found = {}
    for base in reversed(class_.__mro__):
        if base in _declared:
            own, _ = _declared[base]
            for name, type_ in base.__annotations__.items():
                found[name] = type_, _options(own[name]) if name in own else {}
    return found


def _options(default: object) -> dict[str, Any]:
    return default.options if isinstance(default, _Field) else {"default": default}


def _initialize(class_: type[object]) -> None:
    """Set the `__init__` of a class. Two threads may do so at once with the same result."""
    if hasattr(class_, "__post_init__"):
        _complete(class_)
        return
    from .dataclass_methods import initializer

    _, parameters = _declared[class_]
    kw_only, frozen = (parameters.get(name, False) for name in ("kw_only", "frozen"))
    init = initializer(class_, _fields(class_), kw_only=kw_only, frozen=frozen)
    type.__setattr__(class_, "__init__", init)


def _match(class_: type[object]) -> None:
    """Set the names of the fields that `__init__` takes by position."""
    _, parameters = _declared[class_]
    fields = {} if parameters.get("kw_only") else _fields(class_)
    names = [name for name, (_, given) in fields.items() if given.get("init", True)]
    type.__setattr__(class_, "__match_args__", tuple(names))


def _set_method_of_fields(class_: type[object], name: str) -> None:
    """Set the `__hash__` of a class, which has the results of the standard library's, or a comparison, which compares the
    fields as tuples, as the standard library does up to Python 3.12.
    """
    from .dataclass_methods import method_of_fields

    option = "hash" if name == "__hash__" else "compare"
    names = [
        field_name
        for field_name, (_, given) in _fields(class_).items()
        if given.get("compare" if given.get(option) is None else option, True)
    ]
    type.__setattr__(class_, name, method_of_fields(class_, name, names))


def _complete(class_: type[object]) -> None:
    """Set the remaining methods of a class. Two threads may do so at once with the same result."""
    import dataclasses

    own, parameters = _declared[class_]
    namespace = {
        name: dataclasses.field(**value.options) if isinstance(value, _Field) else value
        for name, value in own.items()
    }
    twin = type(class_.__name__, class_.__bases__, namespace)
    methods = dataclasses.dataclass(**parameters)(twin).__dict__
    for name, value in list(class_.__dict__.items()):
        if isinstance(value, _Late):
            setattr(class_, name, methods[name])


_CREATED_HERE: dict[str, Callable[[type[object]], None]] = {
    "__init__": _initialize,
    "__match_args__": _match,
    **{
        name: partial(_set_method_of_fields, name=name)
        for name in ("__hash__", *_COMPARING, *_ORDERING)
    },
}
"""The functions that set an attribute of a class without the standard library's module; `_complete` sets all others."""

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
else:
    dataclass, field = _late_dataclass, _Field
