"""The hub type of each version type: by kind, and in kinds by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Related, Report
from apigen.hub.lenses.flatten import flattens
from apigen.ir.graphs import reached
from apigen.ir.model import Api, Group, Struct, TypeDef, TypeId, named_in

HUB = "hub"


def hub_types_of(api: Api, report: Report) -> dict[TypeId, TypeId]:
    """Return the hub type of each version type that has one: first those of the hub's own group, starting with the
    version of `hub:`.

    A kind declares its hub, and the types in it are matched by name. A type in kinds of two hubs must declare `hub:`
    itself.
    """
    claims = _Claims(api, report)
    found: dict[TypeId, TypeId] = {}
    for group in sorted(api.groups, key=lambda g: g.hub is None):
        for version in ordered_versions(group):
            found.update(claims.of_version(group, version))
    _report_shared_by_kinds(api, found, report)
    return dict(sorted(found.items(), key=lambda item: item[0].group != item[1].group))


def ordered_versions(group: Group) -> list[str]:
    """The versions of a group, the one that the hub follows first."""
    return sorted((v.name for v in group.versions), key=lambda name: name != group.hub)


def _report_shared_by_kinds(api: Api, found: Mapping[TypeId, TypeId], report: Report) -> None:
    """Report two kinds of one version with the same hub type: which of them is an object of the hub in the version?"""
    kinds: dict[tuple[str, str, TypeId], Struct] = {}
    for id_, hub in found.items():
        type_ = api.types[id_]
        if not isinstance(type_, Struct) or type_.kind is None:
            continue
        other = kinds.setdefault((id_.group, id_.version, hub), type_)
        if other is not type_:
            report.error(
                "AG0617",
                type_.place,
                f"the kinds `{other.id.name}` and `{id_.name}` of {id_.version} have the same hub type `{hub.name}`, so an"
                f" object of the hub could be converted to either",
                hint=f"remove one of them from {id_.version}, or declare another hub type for one of them",
                related=[Related(other.place, f"`{other.id.name}` is declared here")],
            )


@dataclass(slots=True)
class _Claims:
    api: Api
    report: Report
    _absorbed: set[TypeId] = field(default_factory=set)

    def of_version(self, group: Group, version: str) -> Iterator[tuple[TypeId, TypeId]]:
        types = self.api.types_of(group.folder, version)
        absorbed = _absorbed(types)
        claimed = self._claimed(group, types)
        for id_, type_ in types.items():
            root = types.get(type_.list_of) if isinstance(type_, Struct) and type_.list_of else type_
            if id_ in absorbed or self._is_its_own_hub(root):
                continue
            hub = self._chosen(group, type_, claimed.get(id_, {}))
            if hub is not None:
                yield id_, hub

    def _claimed(self, group: Group, types: Mapping[TypeId, TypeDef]) -> dict[TypeId, dict[str, str]]:
        """Return for each type the hubs (by folder, `""` for none) of the kinds that contain it, with the
        kind's name.
        """
        claimed: dict[TypeId, dict[str, str]] = {}
        for root in types.values():
            if not isinstance(root, Struct) or (root.kind is None and root.list_of is None):
                continue
            item = types.get(root.list_of) if root.list_of else root
            if self._is_its_own_hub(item):
                continue
            kind = item.kind if isinstance(item, Struct) else None
            hub = kind.hub.group if kind and kind.hub else group.folder if group.hub else ""
            for id_ in _below(root.id, types):
                claimed.setdefault(id_, {}).setdefault(hub, root.id.name)
        return claimed

    def _is_its_own_hub(self, type_: TypeDef | None) -> bool:
        """Return whether a kind copies a struct of a group without hub; both are then used without conversion."""
        if not isinstance(type_, Struct) or type_.alias_of is None or type_.hub_name is not None:
            return False
        if type_.kind is not None and type_.kind.hub is not None:
            return False
        return self.api.group(type_.alias_of.group).hub is None

    def _chosen(self, group: Group, type_: TypeDef, claims: Mapping[str, str]) -> TypeId | None:
        name = self._declared_name(type_)
        if name is not None and "/" in name:
            folder, _, local = name.partition("/hub.")
            return TypeId(folder, HUB, local)
        if len(claims) > 1 and name is None:
            claimants = " and ".join(sorted(claims.values()))
            self.report.error(
                "AG0608",
                type_.place,
                f"{type_.id.name} is used by {claimants}, which have different hubs",
                hint="declare the hub on the type: `hub: GROUP/hub.NAME`",
            )
        hub = next(iter(claims), group.folder if group.hub else "")
        return TypeId(hub, HUB, name or type_.id.name) if hub else None

    def _declared_name(self, type_: TypeDef) -> str | None:
        """Return the hub type that a type or its kind names, for a list that of its items with `List`; None without one."""
        if type_.hub_name is not None or not isinstance(type_, Struct):
            return type_.hub_name
        if type_.list_of is not None:
            item = self._declared_name(self.api.types[type_.list_of])
            return None if item is None else f"{item}List"
        kind = type_.kind
        return None if kind is None or kind.hub is None else f"{kind.hub.group}/hub.{kind.hub.name}"


def _below(root: TypeId, types: Mapping[TypeId, TypeDef]) -> frozenset[TypeId]:
    """Return the types of the version that a type contains, and the type itself."""

    def inside(id_: TypeId) -> list[TypeId]:
        type_ = types[id_]
        fields = type_.fields if isinstance(type_, Struct) else ()
        return [named for field_ in fields for named in named_in(field_.type) if named in types]

    return reached([root], inside)


def _absorbed(types: Mapping[TypeId, TypeDef]) -> set[TypeId]:
    """Return structs without a hub type, because each use is flattened into the parent or has another hub type."""
    flat = {id_.unseen for id_ in types if id_.seen_as}
    other: set[TypeId] = set()
    for type_ in types.values():
        if not isinstance(type_, Struct):
            continue
        for field_ in type_.fields:
            (flat if flattens(field_) else other).update(named_in(field_.type))
    roots = {id_ for id_, type_ in types.items() if isinstance(type_, Struct) and type_.is_root}
    return flat - other - roots
