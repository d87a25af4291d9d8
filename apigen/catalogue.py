"""The APIs that apigen brings: a spec may name Kubernetes' types (`meta/v1.ObjectMeta`) without having them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

from apigen.diagnostics import Report
from apigen.spec.load import load_api
from apigen.spec.model import ApiSpec, GroupSpec, KindSpec, NamedExpr

_PACKAGE = Path(__file__).resolve().parent


def catalogue_folder() -> Path:
    """Where the specs are that apigen brings: inside an installed package, or beside it in the repository."""
    installed = _PACKAGE / "_catalogue"
    return installed if installed.is_dir() else _PACKAGE.parent / "api-specs" / "kubernetes"


def with_catalogue(spec: ApiSpec, report: Report) -> ApiSpec:
    """The spec, and those groups of the catalogue that it names and does not have itself, with what they name."""
    known = {group.folder for group in spec.groups}
    waiting = [name for group in spec.groups for name in _named_groups(group) if name not in known]
    if not waiting:
        return spec
    catalogue = load_api(catalogue_folder(), report)
    offered = {group.folder: group for group in catalogue.groups}
    added: dict[str, GroupSpec] = {}
    while waiting:
        name = waiting.pop()
        if name in offered and name not in known and name not in added:
            added[name] = offered[name]
            waiting += _named_groups(offered[name])
    gates = {feature.name for feature in spec.features}
    more = [feature for feature in catalogue.features if added and feature.name not in gates]
    groups = tuple(sorted([*spec.groups, *added.values()], key=lambda group: group.folder))
    return replace(spec, groups=groups, features=(*spec.features, *more))


def only_groups(spec: ApiSpec, names: Iterable[str]) -> ApiSpec:
    """The spec with the groups of these folders, and with those that they name; names that no folder has are left out."""
    there = {group.folder: group for group in spec.groups}
    kept: set[str] = set()
    waiting = [name for name in names if name in there]
    while waiting:
        name = waiting.pop()
        if name not in kept:
            kept.add(name)
            waiting += _named_groups(there[name]) & there.keys()
    return replace(spec, groups=tuple(group for group in spec.groups if group.folder in kept))


def _named_groups(group: GroupSpec) -> set[str]:
    names = {"meta"} if any(kind.list for kind in group.kinds) else set()
    names.update(_groups_below(group))
    return names


def _groups_below(value: object) -> Iterator[str]:
    """The groups that type expressions and hubs of kinds name, anywhere below."""
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, NamedExpr):
            if current.group is not None:
                yield current.group
        elif isinstance(current, tuple):
            waiting += current
        elif is_dataclass(current) and not isinstance(current, type):
            if isinstance(current, KindSpec) and current.hub is not None and "/" in current.hub.value:
                yield current.hub.value.partition("/")[0]
            waiting += [getattr(current, f.name) for f in fields(current)]
