"""The pipeline: specs to a checked compilation, and a compilation to the files of the output.

One direction; files are touched at the two ends only: reading specs, and `apigen.emit` writing what `generate` made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from apigen.catalogue import only_groups, with_catalogue
from apigen.compilation import Compilation
from apigen.diagnostics import Report
from apigen.diagnostics.suggest import did_you_mean
from apigen.handwritten.find import find_hand_written
from apigen.hub.build import build_hub
from apigen.hub.hand_written import check_hand_written
from apigen.ir.resolve import resolve
from apigen.rules.run import run_rules
from apigen.spec.load import load_api
from apigen.spec.model import ApiSpec

if TYPE_CHECKING:
    from apigen.emit.output import OutputFile


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a run reads: the folder of specs and that of hand-written functions (which need not exist).

    `groups` are the folders of the groups that are wanted, with those that they name; None is all.
    """

    specs: Path
    hand_written: Path | None = None
    shown_from: Path | None = None
    groups: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """A spec folder that has been read; `compilation` is None where its errors leave nothing to compile."""

    spec: ApiSpec
    compilation: Compilation | None


def check(sources: Sources, report: Report) -> Checked:
    """Read and check a spec folder. Later stages do not run on what is known to be broken."""
    loaded = load_api(sources.specs, report, display_root=sources.shown_from)
    spec = with_catalogue(loaded if sources.groups is None else only_groups(loaded, sources.groups), report)
    api = resolve(spec, report)
    if report.has_errors:
        return Checked(spec, None)
    run_rules(api, report)
    hub = build_hub(api, report)
    folder = sources.hand_written
    written = find_hand_written(folder, api, report, _shown(folder, sources.shown_from)) if folder else None
    compilation = Compilation(api, hub, {**api.types, **hub.types}, *([written] if written else []))
    if not report.has_errors:
        check_hand_written(hub.plans, api.types, compilation.hand_written, report)
        _check_strategies(compilation, report)
    return Checked(spec, None if report.has_errors else compilation)


def generate(
    compilation: Compilation,
    progress: Callable[[str], None] = lambda _: None,
    backends: Iterable[str] | None = None,
) -> Iterator[OutputFile]:
    """Every file of the output, backend by backend. `progress` is told the name of each as it starts.

    `backends` are those wanted, with what they need; None is all.
    """
    from apigen.backends.registry import chosen  # what only checks does not pay for templates

    for name, backend in chosen(backends).items():
        progress(name)
        yield from backend(compilation)


def _check_strategies(compilation: Compilation, report: Report) -> None:
    from apigen.backends.strategies_problems import strategy_problems

    for problem in strategy_problems(compilation):
        name = problem.message.rpartition("`")[0].rpartition("`")[2]
        hint = did_you_mean(name, problem.candidates) if problem.candidates else None
        report.error("AG0616", problem.place, problem.message, hint=hint)


def _shown(folder: Path | None, root: Path | None) -> str | None:
    if folder is None or root is None:
        return None
    try:
        return folder.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return None
