"""Builds a project: from its configuration to the files of its output, which are then published or compared."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from apigen.config import Config
from apigen.diagnostics import Report
from apigen.diagnostics.quoting import quote
from apigen.diagnostics.suggest import did_you_mean
from apigen.emit.output import OutputFile
from apigen.pipeline import Checked, Sources, check, generate
from apigen.project.locks import Lock, locks_of
from apigen.spec.folders import find_folders

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Built:
    """What a run makes: the files of the output folder, and the locks of the spec folder."""

    files: tuple[OutputFile, ...]
    locks: tuple[Lock, ...]


def check_project(config: Config, report: Report) -> Checked:
    """Read and check the specs of a project and its hand-written functions."""
    if config.groups is not None:
        folders = find_folders(config.specs, Report(), Path.cwd()).groups
        _check_names("groups", config, {folder.name for folder in folders}, report)
    return check(Sources(config.specs, config.handwritten, Path.cwd(), config.groups), report)


def build_project(config: Config, report: Report, progress: Progress) -> Built | None:
    """Everything that the specs of a project give; None, with diagnostics, where there is an error in them."""
    from apigen.backends.registry import BACKENDS

    _check_names("backends", config, BACKENDS, report)
    progress("reading the specs")
    checked = check_project(config, report)
    if report.has_errors or checked.compilation is None:
        return None
    files = tuple(generate(checked.compilation, lambda name: progress(f"generating {name}"), config.backends))
    locks = tuple(locks_of(checked.compilation.api, checked.spec, config.specs, Path.cwd()))
    return Built(files, locks)


def _check_names(key: str, config: Config, known: Collection[str], report: Report) -> None:
    """Report what the configuration names and is not there."""
    chosen: Iterable[str] = getattr(config, key) or ()
    for name in chosen:
        if name not in known:
            hint = did_you_mean(name, known) or f"there are {', '.join(sorted(known))}"
            report.error("AG0907", config.place(key), f"{quote(name)} in `{key}` does not exist", hint=hint)
