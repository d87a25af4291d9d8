"""The built-in API types of Kubernetes, to which specs may refer without declaring them (`core/v1.PodTemplateSpec`).

Only the groups that are named are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

import apigen
from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Report
from apigen.language.folders import Folders
from apigen.language.load import SpecFolder
from apigen.language.model import ApiSpec, FeatureSpec, GateSpec, GroupSpec, KindSpec, NamedExpr, SeriesSpec, TypeSpec
from apigen.language.paths import GateEnabled
from apigen.language.read_once import ReadOnce
from apigen.language.walking import gates_of, parts

_PACKAGE = Path(apigen.__file__).resolve().parent

_READ = ReadOnce()
"""The files of catalogs that a process has read, shared by all specs that it compiles."""

_FOUND: dict[tuple[Path, Path], Folders] = {}
"""The files that catalogs consist of, by folder and working directory: a process does not search the same one twice."""


def catalog_folder() -> Path:
    """Return the folder of the built-in specs: inside an installed package, or next to it in the repository."""
    installed = _PACKAGE / "_catalog"
    return installed if installed.is_dir() else _PACKAGE.parent / "api-specs" / "kubernetes"


def catalog_functions() -> Path:
    """Return the folder of the hand-written functions for the built-in specs."""
    installed = _PACKAGE / "_catalog_functions" / "handwritten"
    return installed if installed.is_dir() else _PACKAGE.parent / "handwritten"


@dataclass(frozen=True, slots=True)
class Named:
    """The references of a group: folders of groups, and gates."""

    groups: frozenset[str]
    gates: frozenset[str]


_NOTHING = Named(frozenset(), frozenset())


@dataclass(frozen=True)
class Catalog:
    """The built-in groups and gates, each read on first use. Errors in them are added to `report`.

    A file that this process has read is not read again.
    """

    report: Report
    folder: Path

    @cached_property
    def groups(self) -> frozenset[str]:
        """The folders of all groups."""
        return frozenset(self._specs.names)

    @cached_property
    def kinds(self) -> Mapping[str, tuple[str, tuple[str, ...]]]:
        """Return, by folder, the name of the group on the wire, and its kinds."""
        return {name: self._specs.kinds(name) for name in self._specs.names}

    @cached_property
    def features(self) -> tuple[FeatureSpec, ...]:
        """All gates."""
        return self._specs.features()

    @cached_property
    def series(self) -> tuple[SeriesSpec, ...]:
        """The release series of its groups, with the release that they were imported from."""
        return self._specs.series

    def group(self, folder: str) -> GroupSpec | None:
        """Return the group of a folder; None if it does not exist or cannot be read."""
        if folder in self.groups and folder not in self._read:
            self._read[folder] = self._specs.group(folder)
        return self._read.get(folder)

    def named_by(self, group: GroupSpec) -> Named:
        """Return the references of a group; cached, because releases that did not change it need them again."""
        known = self._named.get(id(group))
        if known is None:
            known = self._named[id(group)] = (group, _named_by(group))
        return known[1]

    @cached_property
    def _read(self) -> dict[str, GroupSpec | None]:
        return {}

    @cached_property
    def _named(self) -> dict[int, tuple[GroupSpec, Named]]:
        return {}  # with the group itself, so that its id is not reused for another one

    @cached_property
    def _specs(self) -> SpecFolder:
        key = self.folder, Path.cwd()
        count = self.report.reported
        specs = SpecFolder(self.folder, self.report, known=_READ, found=_FOUND.get(key))
        if self.report.reported == count:
            _FOUND[key] = specs.found
        return specs


def with_catalog(spec: ApiSpec, catalog: Catalog, required: Iterable[str] = ()) -> ApiSpec:
    """Return the spec with the groups and gates that it lacks: the groups `required`, those that it refers to, and those
    that they refer to.

    The gates of the catalog come with it if anything names a gate that the spec does not have.
    """
    folders = {group.folder for group in spec.groups}
    named = [catalog.named_by(group) for group in spec.groups]
    waiting = [*required, *(name for each in named for name in each.groups)]
    added: dict[str, GroupSpec] = {}
    while waiting:
        name = waiting.pop()
        if name in folders:
            continue
        folders.add(name)
        group = catalog.group(name)
        if group is not None:
            added[name] = group
            named.append(catalog.named_by(group))
            waiting += named[-1].groups
    groups = tuple(sorted([*spec.groups, *added.values()], key=lambda group: group.folder))
    features = _with_features(spec.features, named, catalog)
    if not added and features is spec.features:
        return spec
    declared = {each.name.value for each in spec.series if each.release is not None}
    series = (*spec.series, *(each for each in catalog.series if each.name.value not in declared))
    return replace(spec, groups=groups, features=features, series=series)


def named_groups(group: GroupSpec) -> frozenset[str]:
    """The groups that a group needs: those that its type expressions and its hubs name, and that of lists."""
    return _named_by(group).groups


def _named_by(group: GroupSpec) -> Named:
    groups = {"meta"} if any(kind.list for kind in group.kinds) else set()
    gates: set[str] = set()
    by_types = (_named_in(type_) for file in group.version_files for type_ in file.types)
    for named in (_named_in(replace(group, version_files=())), *by_types):
        groups |= named.groups
        gates |= named.gates
    return Named(frozenset(groups), frozenset(gates))


def _named_in(part_of_group: GroupSpec | TypeSpec) -> Named:
    """Return the groups and gates that a part of a group, or all of it, refers to."""
    groups: set[str] = set()
    gates: set[str] = set()
    for part in parts(part_of_group, NamedExpr, KindSpec, TypeSpec, GateSpec, GateEnabled):
        match part:
            case NamedExpr():
                if part.group is not None:
                    groups.add(part.group)
            case GateSpec() | GateEnabled():
                gates.update(gates_of(part))
            case KindSpec() | TypeSpec() if part.hub is not None and "/" in part.hub.value:
                groups.add(part.hub.value.partition("/")[0])
    return Named(frozenset(groups), frozenset(gates)) if groups or gates else _NOTHING


def _with_features(own: tuple[FeatureSpec, ...], named: Iterable[Named], catalog: Catalog) -> tuple[FeatureSpec, ...]:
    names = {feature.name for feature in own}
    gates = {name for each in named for name in each.gates}
    gates.update(gate.value for feature in own for gate in feature.depends_on)
    if gates <= names:
        return own
    return (*own, *(feature for feature in catalog.features if feature.name not in names))
