"""`dataclass`, `field` and `replace` for programs that start often: a class costs a tenth of what it costs in the standard library.

Nearly all of that cost is source text that is compiled for methods, of classes of which most runs never make a value, and the
library that looks at it. Here `__init__` is made when the first value is made, of code that classes of the same shape share; the
other methods are closures over the names of the fields, and what the standard library knows of a class is worked out when it
asks. What comes out is a dataclass for everybody else: for `fields`, `replace` and `asdict`, for `match`, and for type checkers.
A class whose base is made by this `dataclass` must be made by it, too. There are no `InitVar` and no `KW_ONLY`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, partial
from operator import attrgetter, ge, gt, le, lt
from reprlib import recursive_repr
from types import CodeType, FunctionType, MemberDescriptorType
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

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
        setter: Callable[[object, object], None] = getattr(class_, name).__set__
    elif frozen:
        setter = partial(_set_frozen, name)
    else:
        setter = partial(_assign, name)
    return setter if make is NOTHING else lambda self, value: setter(self, make() if value is _FACTORY else value)


def _set_frozen(name: str, self: object, value: object) -> None:
    object.__setattr__(self, name, value)


def _assign(name: str, self: object, value: object) -> None:
    setattr(self, name, value)


@cache
def _code(shape: str, is_checked: bool) -> CodeType:
    """Return the code of `__init__` for fields that get their values this way.

    Compiling a function costs a quarter of a millisecond, other names for the parameters of one that exists a hundredth.
    """
    values = {"p": "p{0}", "m": "FACTORY", "d": "default{0}"}
    parameters = "".join(f", p{number}" for number, letter in enumerate(shape) if letter == "p")
    body = [f"set{number}(self, {values[letter].format(number)})" for number, letter in enumerate(shape)]
    body += ["self.__post_init__()"] if is_checked else []
    known: dict[str, Any] = {}
    exec(compile(f"def __init__(self{parameters}):\n " + "\n ".join(body or ["pass"]), "<__init__>", "exec"), known)
    code: CodeType = known["__init__"].__code__
    return code


__all__ = ["dataclass", "field", "replace"]

_Compare = Callable[[Any, Any], bool]
_ORDER: tuple[tuple[str, _Compare], ...] = (("__lt__", lt), ("__le__", le), ("__gt__", gt), ("__ge__", ge))
_NO_FIELDS = ("ClassVar", "typing.ClassVar")
_KNOWN_TO_ALL = {"init": True, "repr": True, "compare": True}
_REJECTED = ("InitVar", "dataclasses.InitVar", "KW_ONLY", "dataclasses.KW_ONLY")

_FIELDS: dict[type, tuple[FieldOfClass, ...]] = {}
"""The fields of every class that was made here, those of its bases first."""

_COPIED: dict[type, tuple[dict[str, int], Callable[[Any], tuple[Any, ...]]]] = {}
"""By class of copied values, the positions of the parameters of `__init__`, and a function that returns their values."""

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
else:

    def dataclass(class_=None, /, *, frozen=False, slots=False, eq=True, order=False):
        """The class as a dataclass; the options are those of the standard library."""

        def made(class_):
            return _with_methods(class_, frozen=frozen, slots=slots, eq=eq, order=order)

        return made if class_ is None else made(class_)

    def field(*, default=NOTHING, default_factory=NOTHING, **known_to):
        """Return the description of a field; the options are those of the standard library: also `init`, `repr`,
        `compare`.
        """
        return FieldOfClass("", "", default, default_factory, **{**_KNOWN_TO_ALL, **known_to})

    def replace(value, /, **changes):
        """A value with other fields, as the standard library has it."""
        class_ = value.__class__
        places, values = _COPIED.get(class_) or _copied(class_)
        made = [*values(value)]
        for name, each in changes.items():
            if name not in places:
                _reject(name, class_)
            made[places[name]] = each
        return class_(*made)


def _with_methods(class_: type, *, frozen: bool, slots: bool, eq: bool, order: bool) -> type:
    own = vars(class_)
    found = _fields(class_)
    methods: dict[str, object] = {
        "__dataclass_fields__": _LATE_FIELDS,
        "__dataclass_params__": _LateParameters({"frozen": frozen, "slots": slots, "eq": eq, "order": order}),
        "__match_args__": tuple([each.name for each in found if each.init]),
        "__repr__": _repr,
    }
    compared = _values([each.name for each in found if each.compare])
    if eq:
        methods["__eq__"] = _eq(compared)
        methods["__hash__"] = _hash(compared) if frozen else None
    if order:
        methods.update((name, _comparison(compare, compared)) for name, compare in _ORDER)
    if frozen and slots:
        methods.update(__getstate__=_getstate, __setstate__=_setstate)
    if sys.version_info >= (3, 13):
        methods["__replace__"] = replace
    methods = {name: method for name, method in methods.items() if name not in own}
    class_with_methods = _with_slots(class_, found, methods) if slots else class_
    _FIELDS[class_with_methods] = found
    if not slots:
        _keep_defaults(class_with_methods, found)
        for name, method in methods.items():
            setattr(class_with_methods, name, method)
    if frozen:
        _freeze(class_with_methods, found, own)
    if "__init__" not in own:
        class_with_methods.__init__ = first_init(class_with_methods, found, frozen=frozen, slots=slots)  # type: ignore[misc]
    return class_with_methods


def _fields(class_: type) -> tuple[FieldOfClass, ...]:
    """The fields of a class as it was declared, those of its bases first."""
    found: dict[str, FieldOfClass] = {}
    for base in reversed(class_.__mro__[1:]):
        found.update((each.name, each) for each in _FIELDS.get(base, ()))
    own = vars(class_)
    for name, type_ in own.get("__annotations__", {}).items():
        words = type_ if isinstance(type_, str) else str(type_)
        if words.startswith(_REJECTED):
            raise TypeError(f"{class_.__name__}.{name}: {words} is not known here")
        if not words.startswith(_NO_FIELDS):
            found[name] = _field(name, type_, own.get(name, NOTHING))
    return tuple(found.values())


def _field(name: str, type_: object, default: object) -> FieldOfClass:
    """Return a field for a class attribute: one without a value, a default, or the result of `field`, also of the
    standard library.
    """
    if default is NOTHING or isinstance(default, MemberDescriptorType):
        return FieldOfClass(name, type_, NOTHING, NOTHING, True, True, True)
    if isinstance(default, FieldOfClass):
        return default._replace(name=name, type=type_)
    library = sys.modules.get("dataclasses")
    if library is not None and isinstance(default, library.Field):
        library_field: Any = default
        value, factory = (
            NOTHING if each is library.MISSING else each
            for each in (library_field.default, library_field.default_factory)
        )
        return FieldOfClass(name, type_, value, factory, library_field.init, library_field.repr, library_field.compare)
    if default.__class__.__hash__ is None:
        raise ValueError(f"mutable default {type(default)} for field {name} is not allowed: use default_factory")
    return FieldOfClass(name, type_, default, NOTHING, True, True, True)


def _with_slots(class_: type, found: tuple[FieldOfClass, ...], methods: dict[str, object]) -> type:
    """The class once more, with slots for the fields that no base has a slot for."""
    if "__slots__" in vars(class_):
        raise TypeError(f"{class_.__name__} already specifies __slots__")
    inherited = {name for base in class_.__mro__[1:] for name in _slots_of(base)}
    names = [each.name for each in found]
    left_out = {*names, "__dict__", "__weakref__"}
    namespace = {name: value for name, value in vars(class_).items() if name not in left_out}
    namespace |= methods
    namespace["__slots__"] = tuple([name for name in names if name not in inherited])
    slotted = type(class_)(class_.__name__, class_.__bases__, namespace)
    slotted.__qualname__ = class_.__qualname__
    return slotted


def _slots_of(base: type) -> tuple[str, ...]:
    slots = vars(base).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _keep_defaults(class_: type, found: tuple[FieldOfClass, ...]) -> None:
    """Replace each `field(...)` in the class by its default, or remove it if it has none."""
    for each in found:
        if each.name in vars(class_):
            if each.default is NOTHING:
                delattr(class_, each.name)
            else:
                setattr(class_, each.name, each.default)


def _freeze(class_: type, found: tuple[FieldOfClass, ...], own: Any) -> None:
    names = frozenset(each.name for each in found)
    for name, doing in (("__setattr__", "assign to"), ("__delattr__", "delete")):
        if name not in own:
            setattr(class_, name, _rejected(class_, names, doing))


def _copied(class_: type) -> tuple[dict[str, int], Callable[[Any], tuple[Any, ...]]]:
    names = [each.name for each in _fields_of(class_) if each.init]
    found = _COPIED[class_] = {name: place for place, name in enumerate(names)}, _values(names)
    return found


def _reject(name: str, class_: type) -> NoReturn:
    """Tell why a value cannot be replaced."""
    if any(each.name == name for each in _fields_of(class_)):
        raise ValueError(f"field {name} is declared with init=False, it cannot be specified with replace()")
    raise TypeError(f"{class_.__name__}.__init__() got an unexpected keyword argument {name!r}")


def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that returns the values of some fields as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda value: ()
    only = attrgetter(names[0])
    return lambda value: (only(value),)


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


def _rejected(class_: type, names: frozenset[str], doing: str) -> Callable[..., None]:
    """A `__setattr__` or `__delattr__` that leaves the fields alone, and all else of the class itself."""
    go_on = object.__setattr__ if doing == "assign to" else object.__delattr__

    def reject(self: object, name: str, *value: object) -> None:
        if type(self) is class_ or name in names:
            from dataclasses import FrozenInstanceError

            raise FrozenInstanceError(f"cannot {doing} field {name!r}")
        go_on(self, name, *value)

    return reject


def _fields_of(class_: type) -> tuple[FieldOfClass, ...]:
    """The fields of a class that was made here, or that has such a base."""
    for each in class_.__mro__:
        if each in _FIELDS:
            return _FIELDS[each]
    raise TypeError(f"{class_.__name__} is no dataclass of apigen")


@recursive_repr()
def _repr(self: Any) -> str:
    fields = (each.name for each in _fields_of(self.__class__) if each.repr)
    values = ", ".join([f"{name}={getattr(self, name)!r}" for name in fields])
    return f"{self.__class__.__qualname__}({values})"


def _getstate(self: Any) -> list[object]:
    return [getattr(self, each.name) for each in _fields_of(self.__class__)]


def _setstate(self: Any, state: list[object]) -> None:
    for each, value in zip(_fields_of(self.__class__), state, strict=True):
        object.__setattr__(self, each.name, value)


class _LateFields:
    """Placeholder for `__dataclass_fields__`, which is computed when it is first read."""

    def __get__(self, value: object, class_: type) -> object:
        """The fields as the standard library describes them."""
        owner = next(each for each in class_.__mro__ if each in _FIELDS)
        found = _in_words_of_the_library(owner)
        type.__setattr__(owner, "__dataclass_fields__", found)
        return found


_LATE_FIELDS = _LateFields()


class _LateParameters:
    """Placeholder for `__dataclass_params__`, which is computed when it is first read."""

    def __init__(self, parameters: dict[str, bool]) -> None:
        self._parameters = parameters

    def __get__(self, value: object, class_: type) -> object:
        """The parameters as the standard library keeps them."""
        from dataclasses import dataclass as library

        options: dict[str, Any] = self._parameters
        return vars(library(**options)(type("Parameters", (), {})))["__dataclass_params__"]


def _in_words_of_the_library(class_: type) -> dict[str, object]:
    """The fields of a class as the standard library finds them in one that has no base."""
    import dataclasses

    namespace: dict[str, Any] = {"__annotations__": {}, "__module__": class_.__module__}
    for each in _FIELDS[class_]:
        known: dict[str, Any] = {"default": each.default, "default_factory": each.factory}
        known = {name: value for name, value in known.items() if value is not NOTHING}
        namespace["__annotations__"][each.name] = each.type
        namespace[each.name] = dataclasses.field(**known, init=each.init, repr=each.repr, compare=each.compare)
    twin: type = dataclasses.dataclass(init=False, repr=False, eq=False)(type(class_.__name__, (), namespace))
    return dict(vars(twin)["__dataclass_fields__"])
