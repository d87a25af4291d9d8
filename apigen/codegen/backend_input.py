"""The input of every backend: the resolved API, its hubs and settings of the output; and its types by version and hub.

A hub borrows the class of a type that is the same in the version that it follows, down to the last field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar, cast

from apigen.codegen.containment import leading_to
from apigen.dataclass import dataclass, field
from apigen.history.model import History
from apigen.history.rollback import Rollback
from apigen.hub.lenses.move import Move
from apigen.hub.steps import HubModel, Step
from apigen.ir.expressions import Narrowed, innermost
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
)
from apigen.ir.names import HUB_VERSION
from apigen.ir.series import Releases
from apigen.language.configuration import CrdSettings

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BackendInput:
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
    _found: dict[Callable[[BackendInput], object], object] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def once(self, find: Callable[[BackendInput], T]) -> T:
        """Return the result of `find` for this input: computed on the first call, and then cached."""
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


def versions(backend_input: BackendInput) -> Iterator[VersionTypes]:
    """The types of each version that has any, groups and versions in order."""
    for group in backend_input.api.groups:
        for version in group.versions:
            types = tuple(backend_input.types[id_] for id_ in version.types)
            if types:
                yield VersionTypes(
                    group.folder, version.name, group.api_version(version.name), types, group.has_protobuf
                )


def versions_and_hubs(backend_input: BackendInput) -> Iterator[VersionTypes]:
    """All versions, then the types of each hub, in order of the groups."""
    yield from versions(backend_input)
    by_group: dict[str, list[TypeDef]] = {}
    for id_, type_ in backend_input.hub.types.items():
        by_group.setdefault(id_.group, []).append(type_)
    for group in backend_input.api.groups:
        if group.folder in by_group:
            yield VersionTypes(group.folder, HUB_VERSION, "", tuple(by_group[group.folder]))


def borrowed_classes(backend_input: BackendInput) -> Mapping[TypeId, TypeId]:
    """Return, by hub type, the type of a version whose class the hub uses, too.

    These are structs and enums of the same name with the same fields or values, whose conversion only copies them,
    also below:
    without lenses and hand-written functions. Kinds have `apiVersion` in versions only, so they are never among them.
    """
    named = backend_input.hub.named
    enums = {hub: version for hub, version in named.items() if _same_enum(backend_input, hub, version)}
    needed: dict[TypeId, set[TypeId]] = {}
    for hub, version in named.items():
        needs = _Same(backend_input, enums).needs(hub, version)
        if needs is not None:
            needed[hub] = needs
    missing = {need for needs in needed.values() for need in needs if need not in needed}
    different = leading_to(missing, needed)
    return {**enums, **{hub: named[hub] for hub in needed if hub not in different}}


def _same_enum(backend_input: BackendInput, hub: TypeId, version: TypeId) -> bool:
    hub_enum, version_enum = backend_input.types.get(hub), backend_input.types.get(version)
    if not (isinstance(hub_enum, Enum) and isinstance(version_enum, Enum) and _is_followed(hub, version)):
        return False
    values = [[(value.py_name, value.value) for value in enum.values] for enum in (hub_enum, version_enum)]
    return values[0] == values[1] and hub_enum.unknown == version_enum.unknown


def _is_followed(hub: TypeId, version: TypeId) -> bool:
    return hub != version and (hub.group, hub.name) == (version.group, version.name)


@dataclass(frozen=True, slots=True)
class _Same:
    """Compare types of hubs with those of versions, apart from nested structs, which are collected."""

    backend_input: BackendInput
    enums: Mapping[TypeId, TypeId]

    def needs(self, hub: TypeId, version: TypeId) -> set[TypeId] | None:
        """The hub's structs that must be borrowed if this one is; None if it cannot be."""
        hub_struct, version_struct = self.backend_input.types.get(hub), self.backend_input.types.get(version)
        if not (isinstance(hub_struct, Struct) and isinstance(version_struct, Struct) and _is_followed(hub, version)):
            return None
        if hub_struct.has_type_meta or version_struct.has_type_meta or not self._is_alias(hub, version):
            return None
        if [_outline(field) for field in hub_struct.fields] != [_outline(field) for field in version_struct.fields]:
            return None
        pairs = zip(hub_struct.fields, version_struct.fields, strict=True)
        found = [self._structs(hub_field.type, version_field.type) for hub_field, version_field in pairs]
        return {id_ for each in found if each is not None for id_ in each} if None not in found else None

    def _is_alias(self, hub: TypeId, version: TypeId) -> bool:
        plan = self.backend_input.hub.plans.get(version)
        by_hand = any(self.backend_input.hand_written.get(version, role) for role in (Role.TO_HUB, Role.FROM_HUB))
        return plan is not None and plan.hub == hub and not by_hand and all(map(_takes_over, plan.steps))

    def _structs(self, hub_type: Type, version_type: Type) -> frozenset[TypeId] | None:
        """The hub's structs in a type that is else the same as another; None if it is not."""
        match hub_type, version_type:
            case (StructType(mine), StructType(other)):
                is_pair = (
                    hub_type.has_type_meta == version_type.has_type_meta
                    and self.backend_input.hub.named.get(mine) == other
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
