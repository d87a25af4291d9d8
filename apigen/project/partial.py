"""Builds what an edit reaches, from what the last run built: without reading the groups that have nothing to do with it.

The groups that were changed, those that lead to them, those that lead to these, and all that any of them names are
compiled by themselves, twice: as they were and as they are. What shows of that outside the files of the first two (files
of all groups, what is asked of other groups, findings about them) has to be the same both times; then nothing else in the
output can have changed either. If it is not, and wherever anything but a version or a hub of a group was changed, the
whole is built.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from apigen.backends.types.borrowed import borrowed_classes
from apigen.catalogue import named_groups
from apigen.compilation import Compilation, Worded, no_words
from apigen.config import Config
from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Diagnostic, Report
from apigen.emit.output import OutputFile
from apigen.hub.model import HubModel
from apigen.ir.model import Api
from apigen.ir.series import Releases, releases_of, unspelled
from apigen.pipeline import Sources, check_part, generate
from apigen.project.built import Built, Lock, MadeOf
from apigen.project.classes import packed_classes
from apigen.project.inputs import Inputs
from apigen.project.last import Last
from apigen.project.locks import locks_of
from apigen.project.units import Units
from apigen.python.modules import package_name
from apigen.spec.load import SpecFolder
from apigen.spec.model import ApiSpec, GroupSpec

MOST = 0.6
"""The share of all specs beyond which a part is not worth compiling twice."""

Progress = Callable[[str], None]


def build_partly(
    config: Config, sources: Sources | None, last: Last, report: Report, progress: Progress, made: Progress
) -> Built | None:
    """What the whole would build; None, with nothing reported, where it takes the whole to know."""
    changed = last.changed
    if (
        sources is None
        or sources.specs is None
        or sources.groups is not None
        or sources.kinds is not None
        or not changed
    ):
        return None
    touched = last.reached_by(changed)
    if _share(last.led_to_by(last.reached_by(touched)), last.inputs) > MOST:
        return None  # reading them would tell the same
    progress("reading what has changed")
    now = _read(sources, last, touched, None, {})
    was = None if now is None else _read(sources, last, touched, last.earlier, now.others(changed))
    if now is None or was is None:
        return None
    progress("compiling what has changed")
    if not (now.compile(sources, last.made_of) and was.compile(sources, last.made_of)) or now.releases != was.releases:
        return None
    progress("comparing with the last run")
    locks = tuple(_locks(now, config))
    last = replace(last, inputs=last.inputs.with_locks(locks))
    units = Units.of(now.compilation, last.inputs, last.built)
    if any(not changed.isdisjoint(others) for folder, others in units.links.items() if folder not in touched):
        return None
    then = was.shown_elsewhere(None, config, lambda _: None)
    progress("generating what has changed")
    if now.shown_elsewhere(units, config, made) != then:
        return None
    for diagnostic in now.findings_in(touched):
        report.add(diagnostic)
    return _together(now, last, units, locks, report)


@dataclass(slots=True)
class _Part:
    """The groups of a part at one time, and what comes of them: `touched` are those whose files may be others now."""

    spec: ApiSpec
    touched: frozenset[str]
    report: Report
    api: Api = field(default_factory=lambda: Api((), (), {}))
    compilation: Compilation = field(default_factory=lambda: Compilation(Api((), (), {}), HubModel(), {}))
    files: list[OutputFile] = field(default_factory=list)

    def others(self, changed: frozenset[str]) -> Mapping[str, GroupSpec]:
        """The groups that are the same at both times."""
        return {group.folder: group for group in self.spec.groups if group.folder not in changed}

    @property
    def releases(self) -> Releases:
        """The release of each series that the groups tell by themselves."""
        return releases_of(self.api)

    @property
    def packages(self) -> frozenset[str]:
        """The packages of the groups that are touched."""
        return frozenset(map(package_name, self.touched))

    def compile(self, sources: Sources, made_of: MadeOf) -> bool:
        """Whether there is no error in the groups."""
        checked = check_part(self.spec, sources, self.report)
        if checked.api is None or checked.compilation is None or self.report.has_errors:
            return False
        self.spec, self.api = checked.spec, checked.api
        self.compilation = replace(checked.compilation, releases=unspelled(made_of.releases))
        return True

    def shown_elsewhere(self, units: Units | None, config: Config, made: Progress) -> object:
        """What shows outside the files of the groups that are touched. Those are made where there are `units`."""
        elsewhere = _Elsewhere(self.packages, units)
        shown: list[OutputFile] = []
        for file in generate(replace(self.compilation, known=elsewhere), backends=config.backends):
            if file.path not in elsewhere.own and file.path.partition("/")[0] not in self.packages:
                shown.append(file)
            elif units is not None:
                made(file.path)
                self.files.append(file)
        return shown, elsewhere.asked, self.findings_elsewhere

    def findings_in(self, groups: frozenset[str]) -> Iterator[Diagnostic]:
        """What was found in the specs of groups."""
        folders = folders_of(self.spec, groups)
        return (each for each in self.report.diagnostics if each.place.file.startswith(folders))

    @property
    def findings_elsewhere(self) -> tuple[Diagnostic, ...]:
        """What was found elsewhere."""
        inside = set(self.findings_in(self.touched))
        found = (each for each in self.report.diagnostics if each not in inside)
        return tuple(replace(each, source_line=None) for each in found)  # lines of groups that were read once


@dataclass(frozen=True, slots=True)
class _Elsewhere:
    """Notes what is asked of groups that are not touched, and has none of their files made."""

    packages: frozenset[str]
    units: Units | None
    own: set[str] = field(default_factory=set)
    asked: dict[str, tuple[str, str]] = field(default_factory=dict)

    def text(
        self, path: str, package: str, make: Callable[[], str], besides: tuple[object, ...], words: Worded = no_words
    ) -> bytes:
        """The content of a file of the groups that are touched; of others something that is not empty."""
        if package in self.packages:
            self.own.add(path)
            return b"-" if self.units is None else self.units.text(path, package, make, besides)
        self.asked[path] = package, repr(besides)
        return b"-"


def _read(
    sources: Sources,
    last: Last,
    touched: frozenset[str],
    contents: Mapping[str, bytes] | None,
    known: Mapping[str, GroupSpec],
) -> _Part | None:
    """The groups that are touched, those that lead to them, and all that they name; None where anything is wrong with them, or they are many."""
    assert sources.specs is not None
    report = Report()
    folder = SpecFolder(sources.specs, report, display_root=sources.shown_from, contents=contents, known=sources.known)
    found: dict[str, GroupSpec] = {}
    waiting = [*last.reached_by(touched)]  # what is made of a group depends on what others ask of it
    while waiting:
        name = waiting.pop()
        if name in found or name not in folder.names:
            continue
        group = known.get(name) or folder.group(name)
        if group is None:
            return None
        found[name] = group
        waiting += named_groups(group)
    features = folder.features()
    if report.has_errors or folder.histories or _share(found, last.inputs) > MOST:
        return None
    groups = tuple(found[name] for name in sorted(found))
    spec = ApiSpec(groups, features, own_series=folder.own_series, series=folder.series)
    return _Part(spec, touched, report)


def _share(groups: Iterable[str], inputs: Inputs) -> float:
    """How much of all specs some groups are."""
    sizes = {name: sum(map(len, group.versions.values())) for name, group in inputs.groups.items()}
    return sum(sizes[name] for name in groups if name in sizes) / (sum(sizes.values()) or 1)


def folders_of(spec: ApiSpec, groups: frozenset[str]) -> tuple[str, ...]:
    """The folders of some groups, as their places begin."""
    return tuple(f"{posixpath.dirname(group.place.file)}/" for group in spec.groups if group.folder in groups)


def _together(part: _Part, last: Last, units: Units, locks: tuple[Lock, ...], report: Report) -> Built:
    """What the last run built, with the part in place of what it was."""
    packages, keys = part.packages, last.made_of.keys
    files = [
        file
        for file in last.built.files
        if keys.get(file.path, ("",))[0] not in packages and file.path.partition("/")[0] not in packages
    ]
    folders = folders_of(part.spec, part.touched)
    for warning in last.built.warnings:
        if not warning.place.file.startswith(folders):
            report.add(warning)
    borrowed = part.compilation.once(borrowed_classes)
    made_of = MadeOf(
        last.inputs.common,
        last.made_of.releases,
        last.inputs.specs,
        {**last.made_of.groups, **{package: key for package, key in units.groups.items() if package in packages}},
        {path: key for path, key in keys.items() if key[0] not in packages} | units.keys,
        {**last.made_of.links, **{folder: units.links.get(folder, ()) for folder in part.touched}},
        {**last.made_of.words, **units.words},
        (
            *(pair for pair in last.made_of.borrowed if pair[0][0] not in part.touched),
            *(pair for pair in packed_classes(borrowed) if pair[0][0] in part.touched),
        ),
    )
    all_locks = {lock.path: lock for lock in (*last.built.locks, *locks)}
    return Built((*files, *part.files), tuple(all_locks.values()), report.diagnostics, made_of)


def _locks(part: _Part, config: Config) -> Iterator[Lock]:
    folders = folders_of(part.spec, part.touched)
    for lock in locks_of(part.api, part.spec, config.specs, Path.cwd()):
        if lock.shown.startswith(folders):
            yield lock
