"""The types that have functions of their own in generated modules, and the recursive ones of these functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.codegen.recursion import nested_in_themselves
from apigen.ir.model import Alias, Struct, TypeDef
from apigen.ir.types import ListType, MapType, NamedType, StructType, Type, TypeId, is_container, underlying


def with_functions(types: Iterable[TypeDef]) -> tuple[Struct | Alias, ...]:
    """The types that have functions of their own: structs, and names for lists and maps."""
    return tuple(t for t in types if isinstance(t, Struct) or (isinstance(t, Alias) and is_container(t.target)))


def called(type_: Type) -> TypeId | None:
    """The type whose functions read and write values of `type_`, or None if that is done in place."""
    while isinstance(type_, NamedType):
        if is_container(type_):
            return type_.id
        type_ = type_.target
    return type_.id if isinstance(type_, StructType) else None


def recursive_types(types: Iterable[TypeDef]) -> frozenset[TypeId]:
    """Return the types whose functions may call themselves, directly or indirectly."""
    functions = {type_.id: type_ for type_ in with_functions(types)}
    return nested_in_themselves({id_: set(_calls(type_)) & functions.keys() for id_, type_ in functions.items()})


def _calls(type_: Struct | Alias) -> Iterator[TypeId]:
    for value in [f.type for f in type_.fields] if isinstance(type_, Struct) else [type_.target]:
        yield from _called_within(value)


def _called_within(type_: Type) -> Iterator[TypeId]:
    function = called(type_)
    behind = underlying(type_)
    if function is not None:
        yield function
    elif isinstance(behind, ListType):
        yield from _called_within(behind.item)
    elif isinstance(behind, MapType):
        yield from _called_within(behind.value)


def numbered(name: str, depth: int) -> str:
    """The variable of a loop within `depth` others."""
    return f"{name}{depth + 1}" if depth else name
