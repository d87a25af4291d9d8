"""The order of classes in a module, and what cannot be ordered: modules that import each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.dataclass import dataclass
from apigen.ir.graphs import walk
from apigen.ir.model import Alias, Enum, Field, Struct, TypeDef
from apigen.ir.types import (
    EnumType,
    ListType,
    MapType,
    NamedType,
    ScalarType,
    StructType,
    Type,
    TypeId,
    WellKnownType,
    underlying,
)

ModuleId = tuple[str, str]
"""Group and version: they have one module of types."""


def structs_in_order(structs: Iterable[Struct]) -> list[Struct]:
    """The structs of a module, each after those of which it holds one by default; else in written order."""
    by_id = {struct.id: struct for struct in structs}
    order = walk(by_id, lambda id_: [i for i in _built_by_default(by_id[id_]) if i in by_id]).order
    return [by_id[id_] for id_ in order]


def aliases_in_order(aliases: Iterable[Alias]) -> list[Alias]:
    """The aliases of a module, each after those that it names; else in written order."""
    by_id = {alias.id: alias for alias in aliases}
    order = walk(by_id, lambda id_: [i for i in named_types(by_id[id_].target) if i in by_id]).order
    return [by_id[id_] for id_ in order]


def _built_by_default(struct: Struct) -> Iterator[TypeId]:
    for field in struct.fields:
        built = built_by_default(field)
        if built is not None:
            yield built


def built_by_default(field: Field) -> TypeId | None:
    """The struct that a field holds one of unless it is given another, if it does."""
    behind = underlying(field.type)
    return behind.id if isinstance(behind, StructType) and not field.can_be_none else None


def named_types(type_: Type) -> Iterator[TypeId]:
    """The declared types that a type expression names, not those behind their names."""
    match type_:
        case ListType(item):
            yield from named_types(item)
        case MapType(key, value):
            yield from named_types(key)
            yield from named_types(value)
        case StructType(id_) | EnumType(id_) | NamedType(id_):
            yield id_
        case ScalarType() | WellKnownType():
            pass


@dataclass(frozen=True, slots=True)
class ModuleCycles:
    """Which modules of types import each other, by whatever way: there no class of the other is there for certain."""

    reachable: Mapping[ModuleId, frozenset[ModuleId]]

    @classmethod
    def of(cls, types: Mapping[TypeId, TypeDef]) -> ModuleCycles:
        """The cycles among the modules of these types."""
        imports: dict[ModuleId, set[ModuleId]] = {}
        for id_, type_ in types.items():
            imported = imports.setdefault(_module(id_), set())
            imported.update(_module(named) for named in _mentioned(type_))
        return cls({module: _reachable(module, imports) for module in imports})

    def may_be_late(self, user: TypeId, used: TypeId) -> bool:
        """Return whether the module of `user` may run before the class `used` is there, but for the order within a module."""
        here, there = _module(user), _module(used)
        return here != there and here in self.reachable.get(there, ())

    def names_late(self, alias: Alias | NamedType) -> bool:
        """Return whether a name that the target of an alias uses may be undefined when the module runs, so that it must be
        quoted.
        """
        return any(self.may_be_late(alias.id, named) for named in named_types(alias.target))

    def hides_target(self, name: NamedType, user: TypeId) -> bool:
        """Return whether `user` cannot see through a name: quotes are resolved in the module that uses them."""
        return _module(name.id) != _module(user) and self.names_late(name)


def _module(id_: TypeId) -> ModuleId:
    return id_.group, id_.version


def _mentioned(type_: TypeDef) -> Iterator[TypeId]:
    match type_:
        case Struct():
            for field in type_.fields:
                yield from named_types(field.type)
                built = built_by_default(field)
                if built is not None:
                    yield built
        case Alias():
            yield from named_types(type_.target)
        case Enum():
            pass


def _reachable(start: ModuleId, imports: Mapping[ModuleId, set[ModuleId]]) -> frozenset[ModuleId]:
    found: set[ModuleId] = set()
    waiting = [start]
    while waiting:
        new = imports.get(waiting.pop(), set()) - found
        found |= new
        waiting += sorted(new)
    return frozenset(found)
