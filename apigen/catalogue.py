"""The APIs that apigen brings: a spec may name Kubernetes' types (`meta/v1.ObjectMeta`) without having them."""

from __future__ import annotations

from collections.abc import Iterator
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
    known = {group.folder: group for group in spec.groups}
    waiting = list(spec.groups)
    added: list[GroupSpec] = []
    while waiting:
        for name in sorted(_named_groups(waiting.pop())):
            folder = catalogue_folder() / name
            if name in known or not _is_plain(name) or not (folder / "group.yaml").is_file():
                continue
            for group in load_api(folder, report).groups:
                known[name] = group
                added.append(group)
                waiting.append(group)
    if not added:
        return spec
    gates = {feature.name for feature in spec.features}
    more = [f for f in load_api(catalogue_folder(), report).features if f.name not in gates]
    groups = tuple(sorted([*spec.groups, *added], key=lambda g: g.folder))
    return replace(spec, groups=groups, features=(*spec.features, *more))


def _is_plain(name: str) -> bool:
    return bool(name) and all(c.isalnum() or c in ".-_" for c in name) and not name.startswith(".")


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
