"""The surface of an API in the IR."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from apigen.compat.served import HUB
from apigen.compat.sources.api.marks import gate_of, gone_of, lifecycle_of
from apigen.compat.sources.api.slots import Names
from apigen.compat.sources.api.strategies import strategy_of
from apigen.compat.sources.api.types import Types
from apigen.compat.surface.surface import Group, Kind, KindVersion, Surface, Version
from apigen.dataclass import dataclass
from apigen.ir.model import Api, Release, Struct
from apigen.ir.model import Group as IrGroup
from apigen.ir.model import Kind as IrKind
from apigen.ir.model import Version as IrVersion
from apigen.spec.model import ScaleSpec


@dataclass(frozen=True, slots=True)
class Own:
    """What an API has itself: groups, by folder, and gates."""

    folders: frozenset[str]
    gates: frozenset[str]


def surface_of(
    api: Api,
    label: str,
    form: str,
    release: Release | None = None,
    own: Own | None = None,
    *,
    has_docs: bool = True,
    series_releases: Mapping[str, Release] | None = None,
) -> Surface:
    """What an API shows. `own` is what it has itself, the rest came along; None: all is its own.

    Gates of another series that came along are left out: the types that name them are values here, to which they do not apply.
    """
    lowering = _Lowering(api)
    groups = {group.name: lowering.group(group, own is None or group.folder in own.folders) for group in api.groups}
    gates = {
        each.name: gate_of(each, is_own=own is None or each.name in own.gates)
        for each in api.features
        if own is None or each.name in own.gates or not each.series
    }
    return Surface(
        label,
        form,
        groups,
        gates,
        release,
        ratchets=True,
        has_docs=has_docs,
        tells_ends=True,
        series_releases=series_releases or {},
    )


class _Lowering:
    """Makes the groups of one API."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._names = Names(api)

    def group(self, group: IrGroup, is_own: bool) -> Group:
        return Group(
            name=group.name,
            place=group.place,
            versions={version.name: self._version(group, version) for version in group.versions},
            kinds={kind.name: _kind(kind, "" if group.hub is None else HUB) for kind in group.kinds},
            gone=gone_of((*group.gone_versions, *group.gone_kinds)),
            borrowed=not is_own,
            series=group.series,
        )

    def _version(self, group: IrGroup, version: IrVersion) -> Version:
        types = Types(self._api.types, self._names, is_defaulted=version.defaulted)
        roots = (self._api.types[id_] for id_ in version.types)
        served = {kind.name: kind for kind in group.kinds}
        kinds = {
            root.kind.name: self._kind_version(served[root.kind.name], root, version)
            for root in roots
            if isinstance(root, Struct) and root.kind is not None and root.kind.name in served
        }
        return Version(
            group=group.name,
            name=version.name,
            place=version.place,
            types={id_.name: types.of(id_) for id_ in version.types},
            kinds=kinds,
            served=version.served,
            storage=version.storage,
            preferred=version.name == _preferred(group),
            says_preferred=version.preferred,
            lifecycle=lifecycle_of(version.lifecycle),
        )

    def _kind_version(self, kind: IrKind, root: Struct, version: IrVersion) -> KindVersion:
        return KindVersion(
            kind=kind.name,
            root=self._names.of(root.id),
            place=root.place,
            served=version.served,
            storage=version.storage,
            subresources=tuple(sorted({*kind.subresources, *(["scale"] if kind.scale else [])})),
            scale="" if kind.scale is None else _scale(kind.scale),
            selectable_fields=tuple(sorted(f"{label}: {path}" for label, path in kind.selectable_fields)),
            lifecycle=lifecycle_of(root.lifecycle),
        )


def _preferred(group: IrGroup) -> str | None:
    """The version that servers offer first: that which says so, or else the one in which objects are stored."""
    marked = (version.name for version in group.versions if version.preferred)
    stored = (version.name for version in group.versions if version.storage)
    return next(chain(marked, stored), None)


def _kind(kind: IrKind, conversion: str) -> Kind:
    return Kind(
        name=kind.name,
        place=kind.place,
        plural=kind.plural,
        singular=kind.singular,
        list_kind=f"{kind.name}List" if kind.has_list else "",
        namespaced=kind.namespaced,
        short_names=kind.short_names,
        categories=kind.categories,
        conversion=conversion,
        strategy=strategy_of(kind.strategy),
        type_meta=kind.type_meta,
    )


def _scale(scale: ScaleSpec) -> str:
    paths = {
        "specReplicasPath": scale.spec_replicas_path,
        "statusReplicasPath": scale.status_replicas_path,
        "labelSelectorPath": scale.label_selector_path,
    }
    return ", ".join(f"{name}: {path}" for name, path in paths.items() if path is not None)
