"""Which types are used: those that a kind leads to, and all of a group that has no kinds, for others to use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.ir.model import Alias, Api, Struct, TypeDef
from apigen.ir.types import EnumType, ListType, MapType, NamedType, StructType, Type, TypeId
from apigen.spec.model import LensSpec, ListExpr, MapExpr, TypeExpr


def reachable(api: Api) -> frozenset[TypeId]:
    """The types that are used, of versions and (if they are there) of hubs."""
    found: set[TypeId] = set()
    waiting = list(_roots(api))
    while waiting:
        id_ = waiting.pop()
        if id_ not in found and id_ in api.types:
            found.add(id_)
            waiting.extend(_named_by(api.types[id_]))
    return frozenset(found)


def _roots(api: Api) -> Iterator[TypeId]:
    libraries = {group.folder for group in api.groups if not group.kinds}
    for id_, type_ in api.types.items():
        if id_.group in libraries or (isinstance(type_, Struct) and (type_.kind or type_.list_of)):
            yield id_


def _named_by(type_: TypeDef) -> Iterator[TypeId]:
    match type_:
        case Struct():
            for field in type_.fields:
                yield from _in_type(field.type)
            yield from (inline.type.id for inline in type_.inlines)
            lenses = [field.hub for field in type_.fields if field.hub is not None]
            yield from _in_lenses([*lenses, *(e.lens for e in (*type_.lenses, *type_.hub_only))], type_.id)
        case Alias():
            yield from _in_type(type_.target)


def _in_type(type_: Type) -> Iterator[TypeId]:
    match type_:
        case ListType(item):
            yield from _in_type(item)
        case MapType(key, value):
            yield from _in_type(key)
            yield from _in_type(value)
        case StructType(id_) | EnumType(id_):
            yield id_
        case NamedType(id_, target):
            yield id_
            yield from _in_type(target)


def _in_lenses(lenses: Iterable[LensSpec], within: TypeId) -> Iterator[TypeId]:
    for lens in lenses:
        if lens.as_type is not None:
            yield from _in_expression(lens.as_type, within)


def _in_expression(expr: TypeExpr, within: TypeId) -> Iterator[TypeId]:
    match expr:
        case ListExpr(item):
            yield from _in_expression(item, within)
        case MapExpr(key, value):
            yield from _in_expression(key, within)
            yield from _in_expression(value, within)
        case _:
            yield TypeId(expr.group or within.group, expr.version or within.version, expr.name)
