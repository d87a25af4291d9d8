"""Builds what a slight edit reaches: of words (documentation, comments, where things stand in their files) or of bounds.

Specs that say the same in other words are as good as they were, and give the same locks. Of the output only those files
become others that repeat what is said of a type that says something else now. Other bounds are judged again, as are all rules;
of the output they reach what the backends make that read them, in the groups that lead to the types that have them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from apigen.backends.registry import BOUNDED, WORDED, backend_of, chosen
from apigen.backends.types.borrowed import borrowed_classes
from apigen.compilation import Compilation, Worded, no_words
from apigen.config import Config
from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Diagnostic, Report
from apigen.emit.output import OutputFile
from apigen.ir.series import unspelled
from apigen.ir.types import TypeId
from apigen.ir.words import other_words, words_of
from apigen.pipeline import Sources, compile_good
from apigen.project.built import Built
from apigen.project.classes import unpacked_classes
from apigen.project.last import Last
from apigen.project.partial import folders_of
from apigen.project.units import Units
from apigen.python.modules import package_name
from apigen.spec.load import SpecFolder
from apigen.spec.model import ApiSpec, GroupSpec
from apigen.spec.wording import Difference, difference

Progress = Callable[[str], None]


def build_slightly_edited(
    config: Config, sources: Sources | None, last: Last, report: Report, progress: Progress, made: Progress
) -> Built | None:
    """What the whole would build; None, with nothing reported, where more than words and bounds may have changed."""
    if sources is None or sources.groups is not None or sources.kinds is not None or not last.changed:
        return None
    progress("reading what has changed")
    edit = _read(sources, last)
    if edit is None:
        return None
    progress("compiling what has changed")
    compilation = edit.compile(sources)
    if compilation is None:
        return None
    progress("comparing with the last run")
    compilation = replace(compilation, releases=unspelled(last.made_of.releases))
    inputs = last.inputs.with_locks(last.built.locks)
    units = Units.of(compilation, inputs, last.built if edit.has_bounds else None)
    types = {id_: type_ for id_, type_ in compilation.types.items() if id_.group in edit.touched}
    others = other_words(last.made_of.words, types)
    files = _files(compilation, config, _Parts(edit, last, units, others), progress, made)
    if files is None:
        return None
    for warning in edit.warnings(last):
        report.add(warning)
    made_of = replace(
        last.made_of,
        specs=inputs.specs,
        groups={**last.made_of.groups, **{name: key for name, key in units.groups.items() if name in edit.packages}},
        keys={**last.made_of.keys, **units.keys},
        words={**last.made_of.words, **words_of(types[id_] for id_ in others)},
    )
    return Built(tuple(files.values()), last.built.locks, report.diagnostics, made_of)


@dataclass(frozen=True, slots=True)
class _Edit:
    """The groups that an edit reaches (`touched`), with those that lead to them and all that any of them leads to.

    `names` are all groups of the folder. `is_judged`: something may be found now that was not, or elsewhere.
    """

    spec: ApiSpec
    names: frozenset[str]
    touched: frozenset[str]
    difference: Difference
    is_judged: bool
    report: Report

    @property
    def has_bounds(self) -> bool:
        """Whether there are other bounds."""
        return self.difference is Difference.BOUNDS

    @property
    def packages(self) -> frozenset[str]:
        """The packages of the groups that are touched."""
        return frozenset(map(package_name, self.touched))

    def compile(self, sources: Sources) -> Compilation | None:
        """The types of the groups; None where they are no longer good, or one of the folder is missed that was not read."""
        found = compile_good(self.spec, sources, self.report, has_bounds=self.has_bounds, is_judged=self.is_judged)
        read = {group.folder for group in self.spec.groups}
        brought = set() if found is None else {group.folder for group in found.api.groups} - read
        return found if self.names.isdisjoint(brought) else None

    def warnings(self, last: Last) -> Iterator[Diagnostic]:
        """What was found in all groups."""
        if not self.is_judged:
            yield from last.built.warnings
            return
        folders = folders_of(self.spec, self.touched)
        yield from (each for each in last.built.warnings if not each.place.file.startswith(folders))
        yield from (each for each in self.report.diagnostics if each.place.file.startswith(folders))


def _read(sources: Sources, last: Last) -> _Edit | None:
    """What was edited; None where that is more, or where anything is to be said of what was read."""
    assert sources.specs is not None
    report = Report()
    then = SpecFolder(
        sources.specs, Report(), display_root=sources.shown_from, contents=last.earlier, known=sources.known
    )
    now = SpecFolder(sources.specs, report, display_root=sources.shown_from, known=sources.known)
    if now.histories:
        return None
    most, is_judged = Difference.WORDS, False
    for name in last.changed:
        one, other = then.group(name), now.group(name)
        most = max(most, difference(one, other))
        if other is None or most is Difference.MORE:
            return None
        is_judged = is_judged or _is_told_of(other, last.built.warnings)
    touched = last.reached_by(last.changed)
    wanted = last.led_to_by(last.reached_by(touched))  # what is made of a group depends on what others ask of it
    groups = [now.group(name) for name in now.names if name in wanted]
    read = tuple(group for group in groups if group is not None)
    spec = ApiSpec(read, now.features(), own_series=now.own_series, series=now.series)
    if report.diagnostics or len(spec.groups) < len(groups):
        return None
    is_judged = is_judged or most is Difference.BOUNDS
    return _Edit(spec, frozenset(now.names), touched, most, is_judged, report)


def _is_told_of(group: GroupSpec, warnings: Iterable[Diagnostic]) -> bool:
    """Whether anything was found in a group, which may stand elsewhere now."""
    files = {file.place.file for file in (*group.version_files, *([group.hub_file] if group.hub_file else []))}
    return any(place.file in files for warning in warnings for place in warning.places)


@dataclass(frozen=True, slots=True)
class _Parts:
    """An edit, with what the last run built and what is made anew: the files that repeat what `others` say, or have bounds."""

    edit: _Edit
    last: Last
    units: Units
    others: frozenset[TypeId]


def _files(
    compilation: Compilation, config: Config, parts: _Parts, progress: Progress, made: Progress
) -> Mapping[str, OutputFile] | None:
    """All files, by path; None where there are others than before."""
    last, packages = parts.last, parts.edit.packages
    files = {file.path: file for file in last.built.files}
    before = {path for path, (package, _) in last.made_of.keys.items() if package in packages and path in files}
    classes = unpacked_classes(last.made_of.borrowed)
    bounded, worded = BOUNDED if parts.edit.has_bounds else {}, WORDED if parts.others else ()
    for name in chosen(config.backends):
        if name not in bounded and name not in worded:
            continue
        progress(f"generating {name}")
        known = _Touched(files.copy(), packages, parts.others, parts.units if name in bounded else None)
        found: set[str] = set()
        for file in backend_of(name)(replace(compilation, known=known).told(borrowed_classes, classes)):
            if file.path in known.asked:
                made(file.path)
                files[file.path] = file
                found.add(file.path)
        if name in bounded and found != {path for path in before if re.search(bounded[name], path)}:
            return None
    return files


@dataclass(frozen=True, slots=True)
class _Touched:
    """Has files of some packages made: those that `units` does not know, or else that repeat what `others` say; the rest is as it was."""

    before: Mapping[str, OutputFile]
    packages: frozenset[str]
    others: frozenset[TypeId]
    units: Units | None
    asked: set[str] = field(default_factory=set)

    def text(
        self, path: str, package: str, make: Callable[[], str], besides: tuple[object, ...], words: Worded = no_words
    ) -> bytes:
        """The content of a file; of another package something that is not empty."""
        if package not in self.packages:
            return b"-"
        self.asked.add(path)
        if self.units is not None:
            return self.units.text(path, package, make, besides)
        said = words()
        if any(id_ in said for id_ in self.others):
            return make().encode()
        return self.before[path].content if path in self.before else b""
