"""Loads spec folders: text of YAML to the spec model. The only stage that reads specs.

The built-in API types of Kubernetes are loaded in the same way. Specs may refer to them without declaring them
(`core/v1.PodTemplateSpec`); only the groups that are named are read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import apigen
from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Related, Report
from apigen.diagnostics.quoting import quote
from apigen.language.build_nodes import build_nodes
from apigen.language.folders import (
    FEATURES_FILE,
    LOCK_SUFFIX,
    SUFFIX,
    Folders,
    GroupFolder,
    HistoryFolder,
    SpecFile,
    find_folders,
    is_document,
)
from apigen.language.model import (
    GATES,
    ApiSpec,
    Broken,
    BrokenName,
    Constraints,
    FeaturesFile,
    FeatureSpec,
    GateEnabled,
    GateSpec,
    GroupSpec,
    KindSpec,
    LockFile,
    NamedExpr,
    SeriesSpec,
    TypeSpec,
    VersionFile,
    file_name,
    group_file_name,
    group_name,
    lock_name,
)
from apigen.language.nodes import Context, Node
from apigen.language.readers import groups
from apigen.language.readers.groups import FEATURES, SERIES
from apigen.language.readers.types import HUB_KEYS, HUB_TYPES_KEY, TYPES_KEY, VERSION_KEYS
from apigen.language.shapes import Found, Key, Keys
from apigen.language.source import SourceFile, Sources
from apigen.language.walking import NAMING_GATES, gates_of, parts
from apigen.runtime.gc import gc_paused

T = TypeVar("T")

Make = Callable[[SourceFile, Context], T | None]
"""Reads a file; errors go to the report of the context."""


class ReadOnce:
    """The last text of each file that was read without diagnostics, so that no diagnostic is omitted."""

    def __init__(self) -> None:
        self._read: dict[tuple[str, BrokenName, str], tuple[str, object]] = {}

    def value(self, class_: type[T], file: SourceFile, context: Context, make: Make[T]) -> T | None:
        """Return the result of `make` for a file of the owner of `context`, cached for the same text."""
        key = class_.__name__, context.owner, file.name
        text, known = self._read.get(key, ("", None))
        if text == file.text and isinstance(known, class_):
            return known
        count = context.report.reported
        value = make(file, context)
        if value is not None and context.report.reported == count:
            self._read[key] = file.text, value
        return value


HUB = "hub"


def load_api(root: Path, report: Report, *, display_root: Path | None = None) -> ApiSpec:
    """Return all groups and gates of a spec folder; `broken` names the elements that could not be read.

    Errors are in the report, with paths relative to `display_root` (by default, the working directory).
    """
    return SpecFolder(root, report, display_root=display_root).all()


class SpecFolder:
    """A spec folder that is read in parts, so that only the required groups are read."""

    def __init__(
        self,
        root: Path,
        report: Report,
        *,
        display_root: Path | None = None,
        contents: Mapping[str, bytes] | None = None,
        known: ReadOnce | None = None,
        found: Folders | None = None,
    ) -> None:
        """With `contents`, by absolute path, those files are not read: they are taken to have these.

        `found`: the files that `root` consists of, if they are known.
        """
        self._run = _Run(Sources(report, contents), Context.of_run(report), known)
        self.found = found or find_folders(root, report, Path.cwd() if display_root is None else display_root)
        self._by_name = {folder.name: folder for folder in self.found.groups}
        self._root = Path(os.path.abspath(root))
        self._gates: _Gates | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The folders of all groups, in order."""
        return tuple(self._by_name)

    @property
    def histories(self) -> tuple[HistoryFolder, ...]:
        """The folders with records of releases."""
        return self.found.histories

    @property
    def broken(self) -> Broken:
        """The elements that could not be read so far."""
        return Broken(self._run.context.broken)

    def all(self) -> ApiSpec:
        """Return all groups and gates, and the names of elements that could not be read."""
        features = self.features()
        loaded = [self.group(name) for name in self.names]
        groups = tuple(group for group in loaded if group is not None)
        return ApiSpec(groups, features, self.broken, self.own_series, self.series)

    def group(self, name: str) -> GroupSpec | None:
        """Return the group of a folder; None if its group.yaml cannot be read. Raises KeyError for an unknown folder."""
        with gc_paused():
            folder = self._by_name[name]
            group = _group(folder, self._run)
            if group is None or group.series:
                return group
            above = self._read_gates().series_above(folder.group_file.path.parent, self._root)
            return group if above is None else replace(group, series=above.name.value)

    def kinds(self, name: str) -> tuple[str, tuple[str, ...]]:
        """Return the name of a group on the wire and its kinds, without reading its versions. Raises KeyError as above."""
        folder = self._by_name[name]
        found = _group_file(folder, self._run, self._run.context.inside(*group_name(name)))
        if found is None:
            return name, ()
        wire_name = found.get(groups.GROUP)
        kinds = tuple(kind.name for kind in found.some(groups.KINDS_KEY))
        return name if wire_name is None else wire_name.value, kinds

    def features(self) -> tuple[FeatureSpec, ...]:
        """All gates."""
        return self._read_gates().features

    @property
    def own_series(self) -> str:
        """The name of the folder's own release series: that of the features.yaml at its root, empty if it names none."""
        own = self._read_gates().by_folder.get(self._root)
        return "" if own is None else own.name.value

    @property
    def series(self) -> tuple[SeriesSpec, ...]:
        """The release series that its features.yaml files name."""
        return tuple(self._read_gates().by_folder.values())

    def _read_gates(self) -> _Gates:
        if self._gates is None:
            with gc_paused():
                self._gates = _features(self.found.features, self._run)
        return self._gates


@dataclass(frozen=True, slots=True)
class _Run:
    """The state that all files of one run share."""

    sources: Sources
    context: Context
    known: ReadOnce | None

    def source(self, file: SpecFile) -> SourceFile | None:
        """The text of a file."""
        return None if file.is_outside else self.sources.read(file.path, file.display_path)

    def read(
        self, file: SpecFile, context: Context, class_: type[T], read: Callable[[Node, Context], T | None]
    ) -> T | None:
        """Return the value read from the root of a file; None if it cannot be read, which marks it as broken."""

        def make(source: SourceFile, context: Context) -> T | None:
            root = build_nodes(source, context.report)
            if root is None:
                context.mark_broken()
            return None if root is None else read(root, context)

        return self.parsed(file, context, class_, make)

    def parsed(self, file: SpecFile, context: Context, class_: type[T], make: Make[T]) -> T | None:
        """Return what `make` returns for the text of a file, unless it is known; None, marked as broken, without a text."""
        source = self.source(file)
        if source is None:
            context.mark_broken()
            return None
        return make(source, context) if self.known is None else self.known.value(class_, source, context, make)


@dataclass(frozen=True, slots=True)
class _Gates:
    """All features.yaml files of a spec folder: the gates, and the series that are named, by folder."""

    features: tuple[FeatureSpec, ...]
    by_folder: Mapping[Path, SeriesSpec]

    def series_above(self, folder: Path, root: Path) -> SeriesSpec | None:
        """The series that the nearest features.yaml above a folder names, up to the root of the specs."""
        while folder not in self.by_folder and folder != root and folder != folder.parent:
            folder = folder.parent
        return self.by_folder.get(folder)


def _features(files: Iterable[SpecFile], run: _Run) -> _Gates:
    context = run.context.inside(*GATES)
    gates: dict[str, FeatureSpec] = {}
    series: dict[Path, SeriesSpec] = {}
    for file in files:
        read = run.read(file, context, FeaturesFile, FEATURES.read)
        if read is not None and read.series is not None:
            series[file.path.parent] = read.series
        for feature in () if read is None else read.features:
            first = gates.setdefault(feature.name, feature)
            if first is not feature:
                related = [Related(first.place, "first declared here")]
                message = f"the gate {quote(feature.name)} is declared in two files"
                context.report.error("AG0126", feature.place, message, related=related)
    return _Gates(tuple(gates.values()), series)


def _group(folder: GroupFolder, run: _Run) -> GroupSpec | None:
    context = run.context.inside(*group_name(folder.name))
    group_file = _group_file(folder, run, context)
    versions = _versions(group_file, folder, context)
    version_files = [_types_of(name, VERSION_KEYS, TYPES_KEY, folder, run) for name in versions]
    hub_file = _types_of(HUB, HUB_KEYS, HUB_TYPES_KEY, folder, run)
    locks = [_lock(name, folder, run) for name in versions]
    removed = () if group_file is None else groups.removed_versions(group_file)
    _reject_others(folder, versions, frozenset(each.name for each in removed), context)
    if group_file is None:
        return None
    return group_spec(
        folder.name,
        group_file,
        tuple(file for file in version_files if file is not None),
        hub_file,
        tuple(lock for lock in locks if lock is not None),
    )


def group_spec(
    folder: str,
    found: Found,
    version_files: tuple[VersionFile, ...],
    hub_file: VersionFile | None,
    locks: tuple[LockFile, ...] = (),
) -> GroupSpec:
    """Return a group from its group.yaml and its other files."""
    name = found.get(groups.GROUP)
    return GroupSpec(
        folder=folder,
        group=folder if name is None else name.value,
        place=found.place,
        group_place=found.place if name is None else name.place,
        versions=found.some(groups.VERSIONS),
        hub=found.get(groups.HUB),
        kinds=found.some(groups.KINDS_KEY),
        version_files=version_files,
        hub_file=hub_file,
        locks=locks,
        removed_versions=groups.removed_versions(found),
        removed_kinds=groups.removed_kinds(found),
        series=found.get(SERIES) or "",
        has_protobuf=found.get(groups.PROTOBUF) is None,
    )


def _group_file(folder: GroupFolder, run: _Run, context: Context) -> Found | None:
    unreadable = run.context.inside(*group_file_name(folder.name))
    found = run.read(folder.group_file, unreadable, Found, lambda root, _: groups.GROUP_KEYS.read(root, context))
    if found is None:
        unreadable.mark_broken()
    return found


def _versions(found: Found | None, folder: GroupFolder, context: Context) -> list[str]:
    """Return the versions that group.yaml lists, and those that it may list if it cannot be read."""
    listed = [] if found is None else [header.name for header in found.some(groups.VERSIONS)]
    is_sure = found is not None and not context.is_broken()
    others = [name for name in folder.version_names if not is_sure or context.is_broken("version", name)]
    return list(dict.fromkeys([*listed, *others]))


def _types_of(
    name: str, keys: Keys, types: Key[tuple[TypeSpec, ...]], folder: GroupFolder, run: _Run
) -> VersionFile | None:
    """Return the types of a version's file or of hub.yaml; None if it does not exist or could not be read at all."""
    file = folder.file(f"{name}{SUFFIX}")
    if file is None:
        return None
    context = run.context.inside(*file_name(folder.name, name))

    def types_of(root: Node, context: Context) -> VersionFile | None:
        found = keys.read(root, context)
        return None if found is None else VersionFile(name, found.place, found.some(types))

    return run.read(file, context, VersionFile, types_of)


def _lock(version: str, folder: GroupFolder, run: _Run) -> LockFile | None:
    file = folder.file(f"{version}{LOCK_SUFFIX}")
    if file is None:
        return None
    from apigen.language.locks import read_lock  # reviewed specs often have none

    context = run.context.inside(*lock_name(folder.name, version))
    lock = run.parsed(file, context, LockFile, lambda source, context: read_lock(source, version, context.report))
    if lock is None:
        context.mark_broken()
    return lock


def _reject_others(folder: GroupFolder, versions: Sequence[str], removed: Container[str], context: Context) -> None:
    """Report files that have no business in a group folder; `removed` are the versions with a tombstone."""
    expected = {f"{HUB}{SUFFIX}"} | {f"{name}{suffix}" for name in versions for suffix in (SUFFIX, LOCK_SUFFIX)}
    named = [name for name in versions if name.isalnum() and name.islower()]  # others have an error of their own
    missing = [name for name in named if folder.file(f"{name}{SUFFIX}") is None]
    for file in folder.other_files:
        name = file.path.name
        if file.is_outside or name in expected or is_document(name):
            continue
        is_yaml = name.endswith((SUFFIX, ".yml"))
        if is_yaml and len(named) < len(versions) and re.fullmatch(r"v[a-z0-9]+", file.path.stem):
            continue  # the file of a version whose name is an error of its own
        suggested = context.nearest(file.path.stem, missing) if is_yaml else None
        if suggested is not None:
            context.inside("file", suggested).mark_broken()
        hint = _where_it_belongs(name, removed) if suggested is None else f"rename it to `{suggested}{SUFFIX}`"
        message = f"{quote(name)} does not belong in a group folder"
        context.report.error("AG0121", file.place, message, hint=hint)


def _where_it_belongs(name: str, removed: Container[str]) -> str:
    if name == FEATURES_FILE:
        return "feature gates apply to all groups: move it to a parent folder"
    if name.endswith(LOCK_SUFFIX):
        version = name.removesuffix(LOCK_SUFFIX)
        if version in removed:
            return "remove this file, too"
        tombstone = f"tombstones: {{versions: {{{version}: {{}}}}}}"
        return f"restore the version in group.yaml, or remove this file, too, and reserve its name there: `{tombstone}`"
    if name.endswith(SUFFIX):
        return f"list `{name.removesuffix(SUFFIX)}` under `versions:` in group.yaml, or remove this file"
    return "a group folder contains group.yaml, hub.yaml, a file for each version, and files that apigen writes"


_PACKAGE = Path(apigen.__file__).resolve().parent

_READ = ReadOnce()
"""The files of built-in APIs that a process has read, shared by all specs that it compiles."""

_FOUND: dict[tuple[Path, Path], Folders] = {}
"""The files that built-in APIs consist of, by folder and working directory: a process does not search the same one twice."""


def builtin_apis_folder() -> Path:
    """Return the folder of the built-in specs: inside an installed package, or next to it in the repository."""
    installed = _PACKAGE / "_catalog"
    return installed if installed.is_dir() else _PACKAGE.parent / "api-specs" / "kubernetes"


def builtin_apis_functions() -> Path:
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
class BuiltinApis:
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


def with_builtin_apis(spec: ApiSpec, builtin_apis: BuiltinApis, required: Iterable[str] = ()) -> ApiSpec:
    """Return the spec with the groups and gates that it lacks: the groups `required`, those that it refers to, and those
    that they refer to.

    The gates of built-in APIs come with it if anything names a gate that the spec does not have.
    """
    folders = {group.folder for group in spec.groups}
    named = [builtin_apis.named_by(group) for group in spec.groups]
    waiting = [*required, *(name for each in named for name in each.groups)]
    added: dict[str, GroupSpec] = {}
    while waiting:
        name = waiting.pop()
        if name in folders:
            continue
        folders.add(name)
        group = builtin_apis.group(name)
        if group is not None:
            added[name] = group
            named.append(builtin_apis.named_by(group))
            waiting += named[-1].groups
    groups = tuple(sorted([*spec.groups, *added.values()], key=lambda group: group.folder))
    features = _with_features(spec.features, named, builtin_apis)
    if not added and features is spec.features:
        return spec
    declared = {each.name.value for each in spec.series if each.release is not None}
    series = (*spec.series, *(each for each in builtin_apis.series if each.name.value not in declared))
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
    for part in parts(part_of_group, NamedExpr, KindSpec, TypeSpec, *NAMING_GATES):
        match part:
            case NamedExpr():
                if part.group is not None:
                    groups.add(part.group)
            case GateSpec() | GateEnabled() | Constraints():
                gates.update(gates_of(part))
            case KindSpec() | TypeSpec() if part.hub is not None and "/" in part.hub.value:
                groups.add(part.hub.value.partition("/")[0])
    return Named(frozenset(groups), frozenset(gates)) if groups or gates else _NOTHING


def _with_features(
    own: tuple[FeatureSpec, ...], named: Iterable[Named], builtin_apis: BuiltinApis
) -> tuple[FeatureSpec, ...]:
    names = {feature.name for feature in own}
    gates = {name for each in named for name in each.gates}
    gates.update(gate.value for feature in own for gate in feature.depends_on)
    if gates <= names:
        return own
    return (*own, *(feature for feature in builtin_apis.features if feature.name not in names))
