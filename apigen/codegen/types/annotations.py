"""Type annotations, and the order of definitions in a module."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.codegen.python.source_text import Imports
from apigen.codegen.python.values import blank, zero
from apigen.dataclass import dataclass
from apigen.ir.graphs import reached, walk
from apigen.ir.model import (
    Alias,
    Enum,
    EnumType,
    Field,
    ListType,
    MapType,
    NamedType,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    WellKnown,
    WellKnownType,
    is_bytes,
    is_nullable,
    named_in,
    underlying,
    zero_is_none,
)

ModuleId = tuple[str, str]
"""Group and version: they have one module of types."""


def structs_in_order(structs: Iterable[Struct]) -> list[Struct]:
    """Return the structs of a module, each after those that it contains by default; otherwise in declared order."""
    by_id = {struct.id: struct for struct in structs}
    order = walk(by_id, lambda id_: [i for i in map(built_by_default, by_id[id_].fields) if i in by_id]).order
    return [by_id[id_] for id_ in order]


def aliases_in_order(aliases: Iterable[Alias]) -> list[Alias]:
    """The aliases of a module, each after those that it names; else in written order."""
    by_id = {alias.id: alias for alias in aliases}
    order = walk(by_id, lambda id_: [i for i in named_in(by_id[id_].target, behind_names=False) if i in by_id]).order
    return [by_id[id_] for id_ in order]


def built_by_default(field: Field) -> TypeId | None:
    """Return the struct that a field contains by default, if any."""
    behind = underlying(field.type)
    return behind.id if isinstance(behind, StructType) and not field.can_be_none else None


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
        return cls({module: reached(imports[module], lambda id_: imports.get(id_, ())) for module in imports})

    def may_be_late(self, user: TypeId, used: TypeId) -> bool:
        """Return whether the module of `user` may run before the class `used` is there, but for the order within a
        module.
        """
        user_module, used_module = _module(user), _module(used)
        return user_module != used_module and user_module in self.reachable.get(used_module, ())

    def names_late(self, alias: Alias | NamedType) -> bool:
        """Return whether a name that the target of an alias uses may be undefined when the module runs, so that it must be
        quoted.
        """
        return any(self.may_be_late(alias.id, named) for named in named_in(alias.target, behind_names=False))

    def hides_target(self, name: NamedType, user: TypeId) -> bool:
        """Return whether `user` cannot see through a name: quotes are resolved in the module that uses them."""
        return _module(name.id) != _module(user) and self.names_late(name)


def _module(id_: TypeId) -> ModuleId:
    return id_.group, id_.version


def _mentioned(type_: TypeDef) -> Iterator[TypeId]:
    match type_:
        case Struct():
            for field in type_.fields:
                yield from named_in(field.type, behind_names=False)
                built = built_by_default(field)
                if built is not None:
                    yield built
        case Alias():
            yield from named_in(type_.target, behind_names=False)
        case Enum():
            pass


_SCALARS = {
    Scalar.STRING: "str",
    Scalar.BOOL: "bool",
    Scalar.FLOAT32: "float",
    Scalar.FLOAT64: "float",
    Scalar.BYTES: "bytes",
}
"""The Python types of scalars that are not integers."""


def item_can_be_none(type_: Type) -> bool:
    """Return whether an element of a list or a value of a map may be `None`.

    True for types with `None` as zero value, for named lists and maps that are nullable, and for bytes, for which
    Kubernetes distinguishes `null` and `""` everywhere.
    """
    return is_nullable(type_) or zero_is_none(type_) or is_bytes(type_)


@dataclass(frozen=True, slots=True)
class Spelling:
    """Spells types and zero values in the module of `owner`, in the body of its class or as the target of an alias."""

    imports: Imports
    owner: TypeId
    cycles: ModuleCycles

    def annotation(self, type_: Type, can_be_none: bool = False) -> str:
        """The type of a value."""
        plain = self._plain(type_)
        return f"{plain} | None" if can_be_none else plain

    def default(self, field: Field) -> str:
        """Return the text after the `=` of a field: its zero value, or a factory for one that must not be shared."""
        behind = None if field.can_be_none else underlying(field.type)
        match behind:
            case ListType():
                return self._factory(self.imports.builtin("list"))
            case MapType():
                return self._factory(self.imports.builtin("dict"))
            case StructType(id_):
                name = self.imports.type_name(id_)
                is_late = behind.has_type_meta or (id_.group, id_.version) != (self.owner.group, self.owner.version)
                return self._factory(f"lambda: {blank(behind, self.imports)}" if is_late else name)
        return zero(field.type, field.can_be_none, self.imports)

    def _plain(self, type_: Type) -> str:
        match type_:
            case ScalarType(scalar):
                return self.imports.builtin(_SCALARS.get(scalar, "int"))
            case WellKnownType(WellKnown.INT_OR_STRING):
                return f"{self.imports.builtin('int')} | {self.imports.builtin('str')}"
            case WellKnownType(known):
                return self.imports.runtime(known.value)
            case ListType(item):
                return f"{self.imports.builtin('list')}[{self._item(item)}]"
            case MapType(key, value):
                return f"{self.imports.builtin('dict')}[{self._plain(key)}, {self._item(value)}]"
            case EnumType(id_):
                return f"{self.imports.type_name(id_)} | {self.imports.builtin('str')}"
            case NamedType(_, target) if self.cycles.hides_target(type_, self.owner):
                return self._plain(target)
            case StructType(id_) | NamedType(id_):
                return self.imports.type_name(id_)

    def _item(self, type_: Type) -> str:
        return self.annotation(type_, item_can_be_none(type_))

    def _factory(self, make: str) -> str:
        return f"{self.imports.runtime('field')}(default_factory={make})"
