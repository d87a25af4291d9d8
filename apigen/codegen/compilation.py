"""The input of every backend: the resolved API, its hubs and settings of the output; and what several backends ask of it.

The types of each version and hub: a hub borrows the class of a type that is the same in the version that it follows, down to the
last field. Which types contain which: generated code counts the nesting of recursive types, so that input cannot exhaust Python's
stack. The names of hub fields in messages: those of the version that the hub follows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from typing import TypeVar, cast

from apigen.dataclass import dataclass, field, replace
from apigen.history.model import History
from apigen.history.rollback import Rollback
from apigen.hub.faces import only_name
from apigen.hub.lenses.move import Move
from apigen.hub.steps import HubModel, Step
from apigen.ir.expressions import Narrowed, innermost
from apigen.ir.graphs import reached
from apigen.ir.hand_written import HandWritten, Role
from apigen.ir.model import (
    Alias,
    Api,
    Enum,
    EnumType,
    Field,
    ListType,
    MapType,
    NamedType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    struct_behind,
    struct_in,
    underlying,
)
from apigen.ir.names import HUB_VERSION
from apigen.ir.series import Releases
from apigen.language.configuration import CrdSettings
from apigen.language.model import All, Any, Condition, Equals, IsSet, Located, Name, Not, Path
from apigen.language.model import Step as PathStep

N = TypeVar("N", bound=Hashable)


def structs_of(struct: Struct) -> Iterator[TypeId]:
    """Yield the structs directly in a struct, also in lists and maps."""
    for member in struct.fields:
        found = struct_in(member.type)
        if found is not None:
            yield found


def leading_to(nodes: Iterable[N], contained: Mapping[N, Iterable[N]]) -> frozenset[N]:
    """Return the nodes that are, or directly or indirectly contain, one of `nodes`."""
    holders = holders_of(contained)
    return reached(nodes, lambda node: holders.get(node, ()))


def nested_in_themselves(contained: Mapping[N, set[N]]) -> frozenset[N]:
    """Return the nodes on cycles, and those on paths from one cycle to another."""
    above: frozenset[N] = _leading_to_cycles(contained)
    below: frozenset[N] = _leading_to_cycles(holders_of(contained))
    return above & below


def _leading_to_cycles(edges: Mapping[N, Collection[N]]) -> frozenset[N]:
    """Return the nodes that remain after repeatedly removing nodes without edges."""
    open_edges = {node: len(targets) for node, targets in edges.items()}
    sources = holders_of(edges)
    ends = [node for node, count in open_edges.items() if not count]
    while ends:
        for source in sources[ends.pop()]:
            open_edges[source] -= 1
            if not open_edges[source]:
                ends.append(source)
    return frozenset(node for node, count in open_edges.items() if count)


def holders_of(contained: Mapping[N, Iterable[N]]) -> dict[N, dict[N, None]]:
    """Return the nodes that directly contain each node, in their order."""
    holders: dict[N, dict[N, None]] = {node: {} for node in contained}
    for node, targets in contained.items():
        for target in targets:
            holders.setdefault(target, {})[node] = None
    return holders


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Compilation:
    """The input of backends. `api.types` are the types of versions, `types` also has those of hubs.

    `rollback` is the rollback to the newest recorded release; None without recorded releases. `history` are the
    previous releases. `releases` are those that the package emulates by default, by series; without any they follow
    from the API itself. `own` are the folders of the project's own groups, `crd` is the configuration of CRD
    manifests.
    """

    api: Api
    hub: HubModel
    types: Mapping[TypeId, TypeDef]
    hand_written: HandWritten = field(default_factory=HandWritten)
    rollback: Rollback | None = None
    history: History = field(default_factory=History)
    releases: Releases = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    crd: CrdSettings = CrdSettings()
    _found: dict[Callable[[Compilation], object], object] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def once(self, find: Callable[[Compilation], T]) -> T:
        """Return the result of `find` for this compilation: computed on the first call, and then cached."""
        if find not in self._found:
            self._found[find] = find(self)
        return cast(T, self._found[find])


@dataclass(frozen=True, slots=True)
class VersionTypes:
    """The types of one version (or `hub`) of a group, in order; `api_version` is the one of its kinds."""

    group: str
    version: str
    api_version: str
    types: tuple[TypeDef, ...]
    has_protobuf: bool = True

    @property
    def is_hub(self) -> bool:
        """Return whether these are the types of a hub."""
        return self.version == HUB_VERSION

    @property
    def title(self) -> str:
        """The name of the version in documentation, e.g. `meta/v1` or `the hub of apps`."""
        return f"the hub of {self.group}" if self.is_hub else f"{self.group}/{self.version}"

    @property
    def structs(self) -> tuple[Struct, ...]:
        """The structs among the types."""
        return tuple(t for t in self.types if isinstance(t, Struct))

    @property
    def aliases(self) -> tuple[Alias, ...]:
        """The other names of types among the types."""
        return tuple(t for t in self.types if isinstance(t, Alias))


def versions(compilation: Compilation) -> Iterator[VersionTypes]:
    """The types of each version that has any, groups and versions in order."""
    for group in compilation.api.groups:
        for version in group.versions:
            types = tuple(compilation.types[id_] for id_ in version.types)
            if types:
                yield VersionTypes(
                    group.folder, version.name, group.api_version(version.name), types, group.has_protobuf
                )


def versions_and_hubs(compilation: Compilation) -> Iterator[VersionTypes]:
    """All versions, then the types of each hub, in order of the groups."""
    yield from versions(compilation)
    by_group: dict[str, list[TypeDef]] = {}
    for id_, type_ in compilation.hub.types.items():
        by_group.setdefault(id_.group, []).append(type_)
    for group in compilation.api.groups:
        if group.folder in by_group:
            yield VersionTypes(group.folder, HUB_VERSION, "", tuple(by_group[group.folder]))


def borrowed_classes(compilation: Compilation) -> Mapping[TypeId, TypeId]:
    """Return, by hub type, the type of a version whose class the hub uses, too.

    These are structs and enums of the same name with the same fields or values, whose conversion only copies them,
    also below:
    without lenses and hand-written functions. Kinds have `apiVersion` in versions only, so they are never among them.
    """
    named = compilation.hub.named
    enums = {hub: version for hub, version in named.items() if _same_enum(compilation, hub, version)}
    needed: dict[TypeId, set[TypeId]] = {}
    for hub, version in named.items():
        needs = _Same(compilation, enums).needs(hub, version)
        if needs is not None:
            needed[hub] = needs
    missing = {need for needs in needed.values() for need in needs if need not in needed}
    different = leading_to(missing, needed)
    return {**enums, **{hub: named[hub] for hub in needed if hub not in different}}


def _same_enum(compilation: Compilation, hub: TypeId, version: TypeId) -> bool:
    hub_enum, version_enum = compilation.types.get(hub), compilation.types.get(version)
    if not (isinstance(hub_enum, Enum) and isinstance(version_enum, Enum) and _is_followed(hub, version)):
        return False
    values = [[(value.py_name, value.value) for value in enum.values] for enum in (hub_enum, version_enum)]
    return values[0] == values[1] and hub_enum.unknown == version_enum.unknown


def _is_followed(hub: TypeId, version: TypeId) -> bool:
    return hub != version and (hub.group, hub.name) == (version.group, version.name)


@dataclass(frozen=True, slots=True)
class _Same:
    """Compare types of hubs with those of versions, apart from nested structs, which are collected."""

    compilation: Compilation
    enums: Mapping[TypeId, TypeId]

    def needs(self, hub: TypeId, version: TypeId) -> set[TypeId] | None:
        """The hub's structs that must be borrowed if this one is; None if it cannot be."""
        hub_struct, version_struct = self.compilation.types.get(hub), self.compilation.types.get(version)
        if not (isinstance(hub_struct, Struct) and isinstance(version_struct, Struct) and _is_followed(hub, version)):
            return None
        if hub_struct.has_type_meta or version_struct.has_type_meta or not self._is_taken_over(hub, version):
            return None
        if [_outline(field) for field in hub_struct.fields] != [_outline(field) for field in version_struct.fields]:
            return None
        pairs = zip(hub_struct.fields, version_struct.fields, strict=True)
        found = [self._structs(hub_field.type, version_field.type) for hub_field, version_field in pairs]
        return {id_ for each in found if each is not None for id_ in each} if None not in found else None

    def _is_taken_over(self, hub: TypeId, version: TypeId) -> bool:
        plan = self.compilation.hub.plans.get(version)
        by_hand = any(self.compilation.hand_written.get(version, role) for role in (Role.TO_HUB, Role.FROM_HUB))
        return plan is not None and plan.hub == hub and not by_hand and all(map(_takes_over, plan.steps))

    def _structs(self, hub_type: Type, version_type: Type) -> frozenset[TypeId] | None:
        """The hub's structs in a type that is else the same as another; None if it is not."""
        match hub_type, version_type:
            case (StructType(mine), StructType(other)):
                is_pair = (
                    hub_type.has_type_meta == version_type.has_type_meta
                    and self.compilation.hub.named.get(mine) == other
                )
                return frozenset() if mine == other else frozenset((mine,)) if is_pair else None
            case (EnumType(mine), EnumType(other)):
                return frozenset() if mine == other or self.enums.get(mine) == other else None
            case (ListType(mine_item), ListType(other_item)):
                return self._structs(mine_item, other_item)
            case (MapType(mine_key, mine_value), MapType(other_key, other_value)):
                keys, values = self._structs(mine_key, other_key), self._structs(mine_value, other_value)
                return None if keys is None or values is None else keys | values
            case (NamedType(_, mine_target, mine_null), NamedType(_, other_target, other_null)):
                return self._structs(mine_target, other_target) if mine_null == other_null else None
        return frozenset() if hub_type == version_type else None


def _outline(field: Field) -> tuple[str, str, bool]:
    return field.json_name, field.py_name, field.can_be_none


def _takes_over(step: Step) -> bool:
    if not isinstance(step, Move) or step.lenses or step.absent is not None or step.empty_is_absent:
        return False
    is_same_place = [f.json_name for f in step.version] == [f.json_name for f in step.hub] and len(step.hub) == 1
    return is_same_place and not isinstance(innermost(step.value), Narrowed)


@dataclass(slots=True)
class ShownNames:
    """The JSON names of hub fields in the version that the hub follows, or the hub's own names."""

    types: Mapping[TypeId, TypeDef]
    named: Mapping[TypeId, TypeId]
    _by_struct: dict[TypeId, dict[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, compilation: Compilation) -> ShownNames:
        """The names of all hubs."""
        return cls(compilation.types, compilation.hub.named)

    def shown(self, struct: Struct, member: Field) -> str:
        """The name of a field."""
        names = self._by_struct.get(struct.id)
        if names is None:
            names = self._by_struct[struct.id] = self._renamed(struct)
        return names.get(member.json_name, member.json_name)

    def field_named(self, struct: Struct, name: str) -> Field | None:
        """Return the field with a name in messages."""
        return next((f for f in struct.fields if self.shown(struct, f) == name), None) or struct.field(name)

    def keys(self, struct: Struct, names: Iterable[Located[str]]) -> list[Field]:
        """Return the fields with these names in messages, which exist: they are the keys of a list of the struct."""
        return [found for name in names if (found := self.field_named(struct, name.value)) is not None]

    def in_hub(self, condition: Condition, struct: Struct) -> Condition:
        """A condition about a struct, in the names of the version that its hub follows, in those of the hub."""
        match condition:
            case Equals(path):
                return replace(condition, path=self._hub_path(path, struct))
            case IsSet(path):
                return IsSet(self._hub_path(path, struct))
            case Not(inner):
                return Not(self.in_hub(inner, struct))
            case All(conditions):
                return All(tuple(self.in_hub(c, struct) for c in conditions))
            case Any(conditions):
                return Any(tuple(self.in_hub(c, struct) for c in conditions))
        return condition

    def _hub_path(self, path: Path, struct: Struct) -> Path:
        steps: list[PathStep] = []
        type_: Type = StructType(struct.id)
        for step in path.steps:
            behind = underlying(type_)
            holder = struct_behind(behind, self.types)
            if isinstance(step, Name) and holder is not None:
                found = next((f for f in holder.fields if self.shown(holder, f) == step.name), None)
                step = Name(found.json_name) if found is not None else step
                type_ = found.type if found is not None else type_
            elif isinstance(behind, ListType | MapType):
                type_ = behind.item if isinstance(behind, ListType) else behind.value
            steps.append(step)
        return replace(path, steps=tuple(steps))

    def _renamed(self, struct: Struct) -> dict[str, str]:
        version = self.types.get(self.named.get(struct.id, struct.id))
        if not isinstance(version, Struct):
            return {}
        return {hub: f.json_name for f in version.fields if (hub := _hub_name(f)) and hub != f.json_name}


def _hub_name(member: Field) -> str | None:
    """The name in the hub of a field that is one there, of the same struct."""
    if member.hub is None or member.hub.to is None:
        return member.json_name
    return only_name(member.hub.to)
