"""Conversions of single values between two types, element by element."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto

from apigen.dataclass import dataclass
from apigen.ir.model import INTEGER_RANGES
from apigen.ir.types import (
    EnumType,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    TypeId,
    WellKnownType,
    is_nullable,
    is_text,
    underlying,
)


class Sharing(Enum):
    """The parts of a value that may be shared with the source, if the caller allows it: all, nested values, or nothing."""

    ALL = auto()
    BELOW = auto()
    NOTHING = auto()


@dataclass(frozen=True, slots=True)
class Same:
    """An immutable value, which is used unchanged."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A number whose types have different ranges: it is checked if the target type is narrower, and never truncated."""

    version: Scalar
    hub: Scalar


@dataclass(frozen=True, slots=True)
class Copied:
    """A struct that versions and hubs share: of a group without hub, or of another release series."""

    type: TypeId


@dataclass(frozen=True, slots=True)
class Converted:
    """A struct of a version that is another one in the hub."""

    version: TypeId
    hub: TypeId


@dataclass(frozen=True, slots=True)
class EachItem:
    """A list, item by item."""

    item: ValueConversion


@dataclass(frozen=True, slots=True)
class EachValue:
    """A map, value by value."""

    value: ValueConversion


@dataclass(frozen=True, slots=True)
class UnlessNone:
    """An element that may be `None`, such as a named list that is a message of its own."""

    inner: ValueConversion


ValueConversion = Same | Narrowed | Copied | Converted | EachItem | EachValue | UnlessNone

_FLOATS = (Scalar.FLOAT32, Scalar.FLOAT64)


def unwrapped(value: EachItem | EachValue | UnlessNone) -> ValueConversion:
    """Return the conversion of the elements, one level down."""
    return value.item if isinstance(value, EachItem) else value.value if isinstance(value, EachValue) else value.inner


def innermost(value: ValueConversion) -> ValueConversion:
    """Return the conversion of the innermost elements of a list or map."""
    return elements(value)[1]


def elements(value: ValueConversion) -> tuple[str, ValueConversion]:
    """Return a `[]` for each level of lists and maps, and the conversion of the innermost elements."""
    brackets = ""
    while isinstance(value, EachItem | EachValue | UnlessNone):
        brackets += "" if isinstance(value, UnlessNone) else "[]"
        value = unwrapped(value)
    return brackets, value


def value_conversion(version: Type, hub: Type, hub_of: Mapping[TypeId, TypeId]) -> ValueConversion | None:
    """Return the conversion of values of a version's type to a hub's type and back; None if no checked one exists.

    Strings, enums and named strings convert to each other; integers to integers and floats to floats, range-checked; a
    struct to itself and its own hub type. Nothing is matched by position, and nothing is truncated.
    """
    version, hub = underlying(version), underlying(hub)
    if is_text(version) and is_text(hub):
        return Same()
    match version, hub:
        case ScalarType(a), ScalarType(b):
            return _scalars(a, b)
        case WellKnownType(known), WellKnownType(other):
            return Same() if known == other else None
        case ListType(item), ListType(hub_item):
            inner = _element(item, hub_item, hub_of)
            return EachItem(inner) if inner else None
        case MapType(_, value), MapType(_, hub_value):
            inner = _element(value, hub_value, hub_of)
            return EachValue(inner) if inner else None
        case StructType(a), StructType(b):
            if a == b:
                return Copied(a)
            return Converted(a, b) if hub_of.get(a, a) == b else None
    return None


def _element(version: Type, hub: Type, hub_of: Mapping[TypeId, TypeId]) -> ValueConversion | None:
    inner = value_conversion(version, hub, hub_of)
    if inner is None or inner == Same():
        return inner
    return UnlessNone(inner) if is_nullable(version) else inner


def _scalars(version: Scalar, hub: Scalar) -> ValueConversion | None:
    if version == hub:
        return Same()
    if (version in INTEGER_RANGES and hub in INTEGER_RANGES) or (version in _FLOATS and hub in _FLOATS):
        return Narrowed(version, hub)
    return None


def hub_type(type_: Type, hub_of: Mapping[TypeId, TypeId]) -> Type:
    """The hub's type for a version's type: the same expression over hub types."""
    match type_:
        case StructType(id_):
            return StructType(hub_of[id_]) if id_ in hub_of else type_
        case EnumType(id_):
            return EnumType(hub_of.get(id_, id_))
        case ListType(item):
            return ListType(hub_type(item, hub_of))
        case MapType(key, value):
            return MapType(hub_type(key, hub_of), hub_type(value, hub_of))
        case ScalarType() | WellKnownType():
            return type_
    return type(type_)(hub_of.get(type_.id, type_.id), hub_type(type_.target, hub_of), type_.nullable)


def narrows(from_: Scalar, to: Scalar) -> bool:
    """Return whether some value of `from_` does not fit `to`."""
    if from_ in INTEGER_RANGES and to in INTEGER_RANGES:
        return INTEGER_RANGES[from_][0] < INTEGER_RANGES[to][0] or INTEGER_RANGES[from_][1] > INTEGER_RANGES[to][1]
    return from_ is Scalar.FLOAT64 and to is Scalar.FLOAT32
