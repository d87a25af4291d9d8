"""References between versions by their messages, which determine the imports of their `.proto` files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.ir.graphs import reached
from apigen.ir.model import Alias, Api, Struct, TypeDef
from apigen.ir.types import ListType, MapType, NamedType, StructType, Type, TypeId

VersionName = tuple[str, str]
"""The group's folder and the version: a `.proto` file of the output."""


def versions_below(api: Api) -> Mapping[VersionName, frozenset[VersionName]]:
    """Return for each version all versions to which its messages refer, directly or indirectly; in a cycle, also
    itself.
    """
    imports: dict[VersionName, set[VersionName]] = {}
    for id_, type_ in api.types.items():
        imports.setdefault((id_.group, id_.version), set()).update((m.group, m.version) for m in _named(type_))
    return {version: _from(version, imports) for version in imports}


def _from(start: VersionName, imports: Mapping[VersionName, set[VersionName]]) -> frozenset[VersionName]:
    return reached(imports[start] - {start}, lambda version: imports.get(version, ()))


def _named(type_: TypeDef) -> Iterator[TypeId]:
    if isinstance(type_, Struct):
        for field in type_.own_fields:
            yield from messages_in(field.type)
        for inline in type_.inlines:
            yield inline.type.id
    elif isinstance(type_, Alias):
        yield from messages_in(type_.target)


def messages_in(type_: Type) -> Iterator[TypeId]:
    """The messages that a type needs in protobuf: structs, and names for lists and maps that are messages."""
    match type_:
        case StructType(id_):
            yield id_
        case NamedType(id_, target, nullable):
            if nullable:
                yield id_
            else:
                yield from messages_in(target)
        case ListType(item) | MapType(_, item):
            yield from messages_in(item)
