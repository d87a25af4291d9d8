"""Builds a project: from its configuration to the files of its output, which are then published or compared."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from apigen.config import Config
from apigen.dataclass import replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.diagnostics.suggest import did_you_mean
from apigen.project.built import Built, Lock, MadeOf
from apigen.project.last import Last
from apigen.project.memory import Memory

if TYPE_CHECKING:
    from apigen.compilation import Compilation
    from apigen.pipeline import Checked, Sources
    from apigen.project.inputs import Inputs
    from apigen.project.units import Units
    from apigen.spec.known_files import KnownFiles

Progress = Callable[[str], None]


def _ignore(_: str) -> None:
    pass


def check_project(
    config: Config,
    report: Report,
    *,
    everything: bool = False,
    is_shipped: bool = False,
    progress: Progress = _ignore,
    known: KnownFiles | None = None,
) -> Checked | None:
    """Read and check the specs of a project and its hand-written functions; None (AG0908) if there is no project.

    What the project does not choose is checked to the end only where `everything` says so. With `is_shipped` the
    release in the making is being recorded, and recording says itself which one it may be. Files that are `known` are
    not read again.
    """
    from apigen.pipeline import check

    sources = _sources(config, report, known)
    if sources is None:
        return None
    return check(sources, report, everything=everything, is_shipped=is_shipped, progress=progress)


def _sources(config: Config, report: Report, known: KnownFiles | None = None) -> Sources | None:
    from apigen.ir.lifecycle import parse_release
    from apigen.pipeline import Sources

    chooses = config.groups is not None or config.kinds is not None
    specs = config.specs if config.names_specs or config.specs.exists() else None
    if config.file is None and specs is None:
        message = "there is no project here: neither a configuration nor a folder api-specs"
        report.error("AG0908", Place("."), message, hint="`apigen init` begins one, in an empty folder")
        return None
    return Sources(
        specs if chooses else config.specs,
        config.handwritten,
        Path.cwd(),
        config.groups,
        kinds=config.kinds,
        place=config.place,
        release=None if config.release is None else parse_release(config.release),
        series={name: parse_release(each) for name, each in config.series},
        known=known,
    )


def build_recorded(config: Config, release: str, report: Report, progress: Progress) -> Built | None:
    """What a recorded release gave, with copies of the hand-written functions of then; None, with diagnostics, if it
    cannot be built.
    """
    from apigen.backends.registry import BACKENDS
    from apigen.ir.lifecycle import parse_release
    from apigen.pipeline import check_recorded, generate

    _check_names("backends", config, BACKENDS, report)
    progress("reading the records")
    sources = _sources(config, report)
    if sources is None or report.has_errors:
        return None
    checked = check_recorded(replace(sources, copied_from=config.package), parse_release(release), report)
    if checked.compilation is None:
        return None
    files = tuple(generate(checked.compilation, lambda name: progress(f"generating {name}"), config.backends))
    return Built(files, (), report.diagnostics)


def build_project(
    config: Config,
    report: Report,
    progress: Progress,
    memory: Memory | None = None,
    made: Progress = _ignore,
) -> Built | None:
    """Everything that the specs of a project give; None, with diagnostics, where there is an error in them.

    `memory` may know it from an earlier run, or much of it; what is new it is told. `made` is told the path of each file
    when it has been made.
    """
    progress("recalling earlier runs")
    known = None if memory is None else memory.recall()
    if known is not None:
        for warning in known.warnings:
            report.add(warning)
        return known
    before = None if memory is None else memory.before()
    progress("importing the compiler")
    built = None
    if memory is not None and memory.inputs is not None and before is not None and before.made_of is not None:
        last = Last(before, before.made_of, memory.inputs)
        built = _build_from(last, config, memory, report, progress, made)
    built = built or _build(config, report, progress, memory, before, made)
    if built is not None and memory is not None:
        progress("remembering this run")
        memory.remember(built)
    if memory is not None:
        memory.keep_files()  # of a run that found errors, too: they are mended next
    return built


def _build_from(
    last: Last, config: Config, memory: Memory, report: Report, progress: Progress, made: Progress
) -> Built | None:
    """What an edit reaches, with all else as the last run built it; None where that cannot be told."""
    from apigen.project.partial import build_partly
    from apigen.project.slight_edits import build_slightly_edited

    if last.counts_all:
        return None
    sources = _sources(config, Report(), memory.files)
    built = build_slightly_edited(config, sources, last, report, progress, made)
    return built or build_partly(config, sources, last, report, progress, made)


def _build(
    config: Config, report: Report, progress: Progress, memory: Memory | None, before: Built | None, made: Progress
) -> Built | None:
    from apigen.backends.registry import BACKENDS  # a run that is remembered does not pay for the compiler
    from apigen.pipeline import generate
    from apigen.project.locks import locks_of
    from apigen.project.units import Units

    _check_names("backends", config, BACKENDS, report)
    known = None if memory is None else memory.files
    checked = check_project(config, report, progress=progress, known=known)
    if report.has_errors or checked is None or checked.api is None or checked.compilation is None:
        return None
    compilation = checked.compilation
    progress("numbering")
    locks: tuple[Lock, ...] = tuple(locks_of(checked.api, checked.spec, config.specs, Path.cwd()))
    inputs, units = None, None
    if memory is not None and memory.inputs is not None:
        progress("comparing with the last run")
        inputs = memory.inputs.with_locks(locks)
        units = Units.of(compilation, inputs, before)
        compilation = replace(compilation, known=units)
    files = []
    for file in generate(compilation, lambda name: progress(f"generating {name}"), config.backends):
        made(file.path)
        files.append(file)
    made_of = None if inputs is None or units is None else _made_of(compilation, inputs, units)
    return Built(tuple(files), locks, report.diagnostics, made_of)


def _made_of(compilation: Compilation, inputs: Inputs, units: Units) -> MadeOf:
    from apigen.backends.features import emulated_releases
    from apigen.backends.types.borrowed import borrowed_classes
    from apigen.ir.series import spelled
    from apigen.project.classes import packed_classes

    return MadeOf(
        inputs.common,
        spelled(emulated_releases(compilation)),
        inputs.specs,
        units.groups,
        units.keys,
        units.links,
        units.words,
        packed_classes(compilation.once(borrowed_classes)),
    )


def _check_names(key: str, config: Config, known: Collection[str], report: Report) -> None:
    """Report what the configuration names and apigen does not have."""
    chosen: Iterable[str] = getattr(config, key) or ()
    for name in chosen:
        if name not in known:
            hint = did_you_mean(name, known) or f"there are {', '.join(sorted(known))}"
            report.error("AG0907", config.place(key), f"{quote(name)} in `{key}` does not exist", hint=hint)
