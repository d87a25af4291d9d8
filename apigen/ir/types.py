"""Types of values, resolved: after this stage no text means a type."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import NamedTuple

from apigen.dataclass import dataclass, field, replace


class Scalar(StrEnum):
    """The scalars of the spec language."""

    STRING = "string"
    BOOL = "bool"
    INT32 = "int32"
    INT64 = "int64"
    UINT32 = "uint32"
    UINT64 = "uint64"
    FLOAT32 = "float32"
    FLOAT64 = "float64"
    BYTES = "bytes"


class WellKnown(StrEnum):
    """The types with a JSON and protobuf form of their own."""

    TIME = "Time"
    MICRO_TIME = "MicroTime"
    DURATION = "Duration"
    QUANTITY = "Quantity"
    INT_OR_STRING = "IntOrString"
    RAW_EXTENSION = "RawExtension"
    FIELDS_V1 = "FieldsV1"


class TypeId(NamedTuple):
    """The identity of a type: `group` is the name of the folder, `version` the name of the version, or `hub`.

    It is a tuple, because it is the key of most lookups.
    `seen_as` is a type of a second hub: a type of a version has a separate plan, and identity, for each.
    """

    group: str
    version: str
    name: str
    seen_as: str = ""

    @property
    def unseen(self) -> TypeId:
        """The identity without `seen_as`."""
        return self._replace(seen_as="")

    def __str__(self) -> str:
        own = f"{self.group}/{self.version}.{self.name}"
        return f"{own} as {self.seen_as}" if self.seen_as else own


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A scalar."""

    scalar: Scalar

    def __str__(self) -> str:
        return self.scalar.value


@dataclass(frozen=True, slots=True)
class WellKnownType:
    """A well-known type."""

    known: WellKnown

    def __str__(self) -> str:
        return self.known.value


@dataclass(frozen=True, slots=True)
class ListType:
    """A list."""

    item: Type

    def __str__(self) -> str:
        return f"[]{self.item}"


@dataclass(frozen=True, slots=True)
class MapType:
    """A map; the key is text, perhaps by another name."""

    key: Type
    value: Type

    def __str__(self) -> str:
        return f"map[{self.key}]{self.value}"


@dataclass(frozen=True, slots=True)
class StructType:
    """A struct, by identity; `has_type_meta`: it is a kind, whose zero value inside another object has no `kind`."""

    id: TypeId
    has_type_meta: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return self.id.name


@dataclass(frozen=True, slots=True)
class EnumType:
    """An open enum: text, of which some values are known."""

    id: TypeId

    def __str__(self) -> str:
        return self.id.name


@dataclass(frozen=True, slots=True)
class NamedType:
    """Another name for `target`. `nullable`: a list or map that is a message of its own in protobuf (`items = 1`)."""

    id: TypeId
    target: Type
    nullable: bool = False

    def __str__(self) -> str:
        return self.id.name


Type = ScalarType | WellKnownType | ListType | MapType | StructType | EnumType | NamedType

STRING = ScalarType(Scalar.STRING)
NONE_AS_ZERO = frozenset({WellKnown.TIME, WellKnown.MICRO_TIME, WellKnown.RAW_EXTENSION, WellKnown.FIELDS_V1})
"""The well-known types whose zero value is `None` in Python, `null` in JSON and an empty message in protobuf."""


def underlying(type_: Type) -> Type:
    """Return the type without aliases; enums and structs are unchanged."""
    while isinstance(type_, NamedType):
        type_ = type_.target
    return type_


def element_type(type_: ListType | MapType) -> Type:
    """The type of the elements of a list, or of the values of a map."""
    return type_.item if isinstance(type_, ListType) else type_.value


def innermost_type(type_: Type) -> Type:
    """The type of the elements of nested lists and maps, behind all names; of any other type, the type behind its
    names.
    """
    type_ = underlying(type_)
    while isinstance(type_, ListType | MapType):
        type_ = underlying(element_type(type_))
    return type_


def parts_of(type_: Type, *, behind_names: bool = True) -> Iterator[Type]:
    """Yield a type and all types in it, from the outside in: keys, elements, and the targets of names."""
    yield type_
    match type_:
        case ListType(item):
            yield from parts_of(item, behind_names=behind_names)
        case MapType(key, value):
            yield from parts_of(key, behind_names=behind_names)
            yield from parts_of(value, behind_names=behind_names)
        case NamedType(target=target) if behind_names:
            yield from parts_of(target)


def named_in(type_: Type, *, behind_names: bool = True) -> Iterator[TypeId]:
    """Yield the declared types in a type expression, also those behind their names, unless `behind_names` is false."""
    for part in parts_of(type_, behind_names=behind_names):
        if isinstance(part, StructType | EnumType | NamedType):
            yield part.id


def with_structs(type_: Type, change: Callable[[StructType], StructType]) -> Type:
    """Return the type with others in place of its structs."""
    match type_:
        case StructType():
            return change(type_)
        case ListType(item):
            return ListType(with_structs(item, change))
        case MapType(key, value):
            return MapType(key, with_structs(value, change))
        case NamedType(target=target):
            return replace(type_, target=with_structs(target, change))
    return type_


def struct_in(type_: Type) -> TypeId | None:
    """Return the struct in a value: the value itself, or its elements; None if it contains no struct."""
    innermost = innermost_type(type_)
    return innermost.id if isinstance(innermost, StructType) else None


def is_text(type_: Type) -> bool:
    """Return whether values are text: a string, an enum, or a name for one."""
    type_ = underlying(type_)
    return isinstance(type_, EnumType) or type_ == STRING


def is_bytes(type_: Type) -> bool:
    """Return whether values are bytes."""
    return underlying(type_) == ScalarType(Scalar.BYTES)


def is_container(type_: Type) -> bool:
    """Return whether values are lists or maps."""
    return isinstance(underlying(type_), ListType | MapType)


def is_nullable(type_: Type) -> bool:
    """Return whether a type is an alias of a list or map that may be `None` as an element of another type."""
    while isinstance(type_, NamedType):
        if type_.nullable:
            return True
        type_ = type_.target
    return False
