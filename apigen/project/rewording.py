"""Builds what an edit of words reaches: documentation and comments, and where things stand in their files.

Specs that say the same in other words are as good as they were, and give the same locks and the same warnings elsewhere.
Of the output only those files become others that repeat what is said of a type that says something else now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from apigen.backends.registry import WORDED, backend_of, chosen
from apigen.backends.types.borrowed import borrowed_classes
from apigen.compilation import Worded, no_words
from apigen.config import Config
from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Report
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
from apigen.spec.model import ApiSpec
from apigen.spec.wording import differ_in_words_only

Progress = Callable[[str], None]


def build_reworded(
    config: Config, sources: Sources | None, last: Last, report: Report, progress: Progress, made: Progress
) -> Built | None:
    """What the whole would build; None, with nothing reported, where more than words may have changed."""
    if sources is None or sources.groups is not None or sources.kinds is not None or not last.changed:
        return None
    progress("reading what has changed")
    spec = _read(sources, last)
    if spec is None:
        return None
    progress("compiling what is worded")
    compilation = compile_good(spec, sources)
    if compilation is None:
        return None
    progress("comparing with the last run")
    compilation = replace(compilation, newest=parse_release(last.made_of.newest))
    inputs = last.inputs.with_locks(last.built.locks)
    units = Units.of(compilation, inputs, None)
    files = {file.path: file for file in last.built.files}
    known = _Unsaid(files, other_words(last.made_of.words, compilation.types))
    classes = unpacked_classes(last.made_of.borrowed)
    compilation = replace(compilation, known=known).told(borrowed_classes, classes)
    for name in chosen(config.backends):
        if name in WORDED:
            progress(f"generating {name}")
            for file in backend_of(name)(compilation):
                made(file.path)
                files[file.path] = file
    for warning in last.built.warnings:
        report.add(warning)
    made_of = replace(last.made_of, specs=inputs.specs, groups=units.groups, words=units.words)
    return Built(tuple(files.values()), last.built.locks, report.diagnostics, made_of)


def _read(sources: Sources, last: Last) -> ApiSpec | None:
    """The specs as they are now, if they say the same as they did and nothing is to be said of them."""
    assert sources.specs is not None
    report = Report()
    then = SpecFolder(
        sources.specs, Report(), display_root=sources.shown_from, contents=last.earlier, known=sources.known
    )
    now = SpecFolder(sources.specs, report, display_root=sources.shown_from, known=sources.known)
    if now.has_history:
        return None
    for name in last.changed:
        one, other = then.group(name), now.group(name)
        if one is None or other is None or not differ_in_words_only(one, other):
            return None
        files = {file.place.file for file in (*other.version_files, *([other.hub_file] if other.hub_file else []))}
        if any(file in repr(warning) for warning in last.built.warnings for file in files):
            return None  # what was found there stands elsewhere now
    groups = [now.group(name) for name in now.names]
    features = now.features()
    spec = ApiSpec(tuple(group for group in groups if group is not None), features)
    return spec if not report.diagnostics and len(spec.groups) == len(groups) else None


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
