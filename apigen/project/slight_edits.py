"""Builds what a slight edit reaches: of words (documentation, comments, where things stand in their files) or of bounds.

Specs that say the same in other words are as good as they were, and give the same locks. Of the output only those files
become others that repeat what is said of a type that says something else now. Other bounds are judged again, as are all rules;
of the output they reach what the backends make that read them, in the groups that lead to the types that have them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from apigen.backends.registry import BOUNDED, WORDED, backend_of, chosen
from apigen.backends.types.borrowed import borrowed_classes
from apigen.compilation import Compilation, Worded, no_words
from apigen.config import Config
from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Diagnostic, Report
from apigen.emit.output import OutputFile
from apigen.ir.lifecycle import parse_release
from apigen.ir.types import TypeId
from apigen.ir.words import other_words
from apigen.pipeline import Sources, compile_good
from apigen.project.built import Built
from apigen.project.classes import unpacked_classes
from apigen.project.last import Last
from apigen.project.units import Units
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
    progress("compiling what is worded")
    compilation = compile_good(edit.spec, sources, edit.report, has_bounds=edit.has_bounds, is_judged=edit.is_judged)
    if compilation is None:
        return None
    progress("comparing with the last run")
    compilation = replace(compilation, newest=parse_release(last.made_of.newest))
    inputs = last.inputs.with_locks(last.built.locks)
    units = Units.of(compilation, inputs, last.built if edit.has_bounds else None)
    files = _files(compilation, config, edit, last, units, progress, made)
    if files is None:
        return None
    for warning in edit.report.diagnostics if edit.is_judged else last.built.warnings:
        report.add(warning)
    keys = {**last.made_of.keys, **units.keys}
    made_of = replace(last.made_of, specs=inputs.specs, groups=units.groups, keys=keys, words=units.words)
    return Built(tuple(files.values()), last.built.locks, report.diagnostics, made_of)


@dataclass(frozen=True, slots=True)
class _Edit:
    """The specs as they are now, and how far they differ from what they were.

    `is_judged`: something may be found now that was not, or elsewhere.
    """

    spec: ApiSpec
    difference: Difference
    is_judged: bool
    report: Report

    @property
    def has_bounds(self) -> bool:
        """Whether there are other bounds."""
        return self.difference is Difference.BOUNDS


def _read(sources: Sources, last: Last) -> _Edit | None:
    """What was edited; None where that is more, or where anything is to be said of what was read."""
    assert sources.specs is not None
    report = Report()
    then = SpecFolder(
        sources.specs, Report(), display_root=sources.shown_from, contents=last.earlier, known=sources.known
    )
    now = SpecFolder(sources.specs, report, display_root=sources.shown_from, known=sources.known)
    if now.has_history:
        return None
    most, is_judged = Difference.WORDS, False
    for name in last.changed:
        one, other = then.group(name), now.group(name)
        most = max(most, difference(one, other))
        if other is None or most is Difference.MORE:
            return None
        is_judged = is_judged or _is_told_of(other, last.built.warnings)
    groups = [now.group(name) for name in now.names]
    spec = ApiSpec(tuple(group for group in groups if group is not None), now.features())
    if report.diagnostics or len(spec.groups) < len(groups):
        return None
    return _Edit(spec, most, is_judged or most is Difference.BOUNDS, report)


def _is_told_of(group: GroupSpec, warnings: Iterable[Diagnostic]) -> bool:
    """Whether anything was found in the types of a group, which may stand elsewhere now."""
    files = {file.place.file for file in (*group.version_files, *([group.hub_file] if group.hub_file else []))}
    return any(file in repr(warning) for warning in warnings for file in files)


def _files(
    compilation: Compilation,
    config: Config,
    edit: _Edit,
    last: Last,
    units: Units,
    progress: Progress,
    made: Progress,
) -> Mapping[str, OutputFile] | None:
    """All files, by path; None where there are others than before."""
    files = {file.path: file for file in last.built.files}
    before = files.keys() & last.made_of.keys.keys()
    unsaid = _Unsaid(files.copy(), other_words(last.made_of.words, compilation.types))
    classes = unpacked_classes(last.made_of.borrowed)
    bounded, worded = BOUNDED if edit.has_bounds else {}, WORDED if unsaid.others else ()
    for name in chosen(config.backends):
        if name not in bounded and name not in worded:
            continue
        progress(f"generating {name}")
        found: set[str] = set()
        known = replace(compilation, known=units if name in bounded else unsaid)
        for file in backend_of(name)(known.told(borrowed_classes, classes)):
            made(file.path)
            files[file.path] = file
            found.add(file.path)
        if name in bounded and found != {path for path in before if path.endswith(f"/{bounded[name]}")}:
            return None
    return files


@dataclass(frozen=True, slots=True)
class _Unsaid:
    """Has files made that repeat what `others` say, types that say something else now; the rest is as it was."""

    before: Mapping[str, OutputFile]
    others: frozenset[TypeId]

    def text(
        self, path: str, package: str, make: Callable[[], str], besides: tuple[object, ...], words: Worded = no_words
    ) -> bytes:
        """The content of a file, made if it repeats any of that."""
        said = words()
        if any(id_ in said for id_ in self.others):
            return make().encode()
        return self.before[path].content if path in self.before else b""
