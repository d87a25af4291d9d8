"""The used types: those that kinds contain, and all types of groups without kinds, which other groups may use. References
between versions by their messages determine the imports of their `.proto` files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.ir.graphs import reached
from apigen.ir.model import (
    Alias,
    Api,
    ListType,
    MapType,
    NamedType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    named_in,
)
from apigen.language.model import LensSpec, NamedExpr
from apigen.language.walking import parts


def reachable(api: Api) -> frozenset[TypeId]:
    """Return the used types of versions and (if they exist) of hubs."""
    found = reachable_from(_roots(api), api)
    return found | reachable_from(_namesakes(found, api), api)


def reachable_from(roots: Iterable[TypeId], api: Api) -> frozenset[TypeId]:
    """Return the types of an API that are reachable from some types, including these."""
    types = api.types
    return reached(
        (id_ for id_ in roots if id_ in types), lambda id_: (name for name in named_by(types[id_]) if name in types)
    )


def _namesakes(used: frozenset[TypeId], api: Api) -> Iterator[TypeId]:
    """Yield types of a version with preserved or hand-converted values, which types of the same name in other versions
    need.
    """
    by_hand = {(id_.group, id_.version) for id_, type_ in api.types.items() if carries_unseen(type_)}
    names: dict[str, set[str]] = {}
    for id_ in used:
        names.setdefault(id_.group, set()).add(id_.name)
    for id_ in api.types:
        if (id_.group, id_.version) in by_hand and id_.name in names.get(id_.group, ()):
            yield id_


def carries_unseen(type_: TypeDef) -> bool:
    """Return whether a type preserves values without a field in its version, or leaves them to a hand-written function."""
    lenses = _lenses(type_) if isinstance(type_, Struct) else ()
    return any(lens.by_hand or (lens.annotation and lens.as_type is None) for lens in lenses)


def _roots(api: Api) -> Iterator[TypeId]:
    libraries = {group.folder for group in api.groups if not group.kinds}
    for id_, type_ in api.types.items():
        if id_.group in libraries or (isinstance(type_, Struct) and (type_.kind or type_.list_of)):
            yield id_


def named_by(type_: TypeDef) -> Iterator[TypeId]:
    """The types that a type names: those of its fields, and those in which its lenses carry something."""
    match type_:
        case Struct():
            for field in type_.fields:
                yield from named_in(field.type)
            yield from (inline.type.id for inline in type_.inlines)
            if type_.alias_of is not None:
                yield type_.alias_of
            yield from _in_lenses(_lenses(type_), type_.id)
        case Alias():
            yield from named_in(type_.target)


def _lenses(struct: Struct) -> Iterator[LensSpec]:
    yield from (field.hub for field in struct.fields if field.hub is not None)
    yield from (entry.lens for entry in (*struct.lenses, *struct.hub_only))


def _in_lenses(lenses: Iterable[LensSpec], within: TypeId) -> Iterator[TypeId]:
    for lens in lenses:
        for name in () if lens.as_type is None else parts(lens.as_type, NamedExpr):
            yield TypeId(name.group or within.group, name.version or within.version, name.name)


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
