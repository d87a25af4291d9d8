"""Structs that other structs contain, and so the kinds that contain a type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.ir.graphs import reached
from apigen.ir.model import Field, Struct, TypeDef, TypeId, struct_in

Types = Mapping[TypeId, TypeDef]


def fields_of(id_: TypeId, types: Types) -> tuple[Field, ...]:
    """Return the fields of a struct; empty for other types."""
    struct = types.get(id_)
    return struct.fields if isinstance(struct, Struct) else ()


def structs_in_fields(id_: TypeId, types: Types, *, without: str = "") -> Iterator[TypeId]:
    """Yield the structs in the fields of a struct, other than in the field named `without`."""
    for field in fields_of(id_, types):
        inner = struct_in(field.type)
        if inner is not None and field.json_name != without:
            yield inner


def is_another_type(id_: TypeId, hub_of: Mapping[TypeId, TypeId], types: Types) -> bool:
    """Return whether no kind contains both this type and, in another version, a type with the same hub type."""
    kinds: dict[TypeId, set[TypeId]] = {one: set() for one, hub in hub_of.items() if hub == hub_of.get(id_)}
    for kind, hub in hub_of.items():
        struct = types.get(kind)
        if isinstance(struct, Struct) and (struct.kind is not None or struct.list_of is not None):
            for one in kinds.keys() & reached({kind}, lambda holder: structs_in_fields(holder, types)):
                kinds[one].add(hub)
    own = kinds.pop(id_, set())
    return bool(own and kinds) and all(own.isdisjoint(others) for others in kinds.values())


def if_another_type(id_: TypeId, fix: str) -> str:
    """Return the fixes for a type for which `is_another_type` is true: a hub type of its own, or `fix`."""
    return (
        f"no kind has {id_.name} both in {id_.version} and in another version: if they are different types,"
        f" write `hub: {id_.version.capitalize()}{id_.name}` on {id_.name} of {id_.version}; if not, {fix}"
    )
