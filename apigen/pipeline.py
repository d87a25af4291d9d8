"""The pipeline: specs to a checked compilation, and a compilation to the files of the output.

One direction; files are touched at the two ends only: reading specs, and `apigen.emit` writing what `generate` made.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from apigen.catalogue import Catalogue, catalogue_folder, catalogue_functions, with_catalogue
from apigen.choice import Choice, Names, choose
from apigen.choice import everything as everything_of
from apigen.compilation import Compilation
from apigen.diagnostics import Place, Report
from apigen.diagnostics.suggest import did_you_mean
from apigen.handwritten.find import find_hand_written
from apigen.handwritten.model import HandWritten
from apigen.history.model import History
from apigen.hub.build import build_hub
from apigen.hub.hand_written import check_hand_written
from apigen.hub.selection import select, with_gates
from apigen.ir.model import Api
from apigen.ir.resolve import resolve
from apigen.ir.types import TypeId
from apigen.rules.evolution.evolution import Evolution
from apigen.rules.evolution.run import run_evolution_rules
from apigen.rules.run import run_rules
from apigen.spec.load import load_api
from apigen.spec.model import ApiSpec

if TYPE_CHECKING:
    from apigen.emit.output import OutputFile


CATALOGUE_IMPORTS = "generated"
"""By which name the hand-written functions of the catalogue import the output that they are copied into."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a run reads: the folder of specs, or none, and that of hand-written functions (which need not exist).

    `groups` are the folders of the groups that are wanted whole, `kinds` the names of kinds that are wanted; None for
    both is everything in the folder of specs. What they lead to comes with them, from the catalogue too. `copied_from`
    is the name by which the hand-written functions import the output, if they are to be copied into it. `place` tells
    where the configuration has such a list.
    """

    specs: Path | None
    hand_written: Path | None = None
    shown_from: Path | None = None
    groups: tuple[str, ...] | None = None
    copied_from: str | None = None
    kinds: tuple[str, ...] | None = None
    place: Callable[[str], Place] = lambda _: Place("command line")


@dataclass(frozen=True, slots=True)
class Checked:
    """A spec folder that has been read, with what it needs of the catalogue.

    `api` is all of it, whatever was wanted, and `compilation` what was wanted; both are None where there are errors.
    """

    spec: ApiSpec
    api: Api | None = None
    compilation: Compilation | None = None


def check(sources: Sources, report: Report, *, everything: bool = False) -> Checked:
    """Read and check a spec folder. Later stages do not run on what is known to be broken.

    All of the folder is resolved, as names and numbers are given to all of it. What is not wanted is checked as far
    as hubs and conversions only where `everything` says so.
    """
    own = load_api(sources.specs, report, display_root=sources.shown_from) if sources.specs else ApiSpec(())
    catalogue = Catalogue(report, catalogue_folder())
    choice = choose(Names(sources.groups, sources.kinds, sources.place), own, catalogue, report)
    spec = with_catalogue(own, catalogue, choice.folders)
    api = resolve(spec, report)
    if report.has_errors:
        return Checked(spec)
    whole = everything_of(own)
    run_rules(api, report, groups=whole.groups)
    evolution = Evolution(api, History(), None, frozenset(whole.groups))
    run_evolution_rules(evolution, report)
    if everything and choice != whole:
        _compile(api, whole, whole.groups, sources, report)
    compilation = _compile(api, choice, whole.groups, sources, report)
    return Checked(spec) if report.has_errors else Checked(spec, api, compilation)


def _compile(api: Api, choice: Choice, own: Container[str], sources: Sources, report: Report) -> Compilation:
    selection = select(api, choice)
    kept = selection.kept
    hub = build_hub(selection.shape, report, kept.types)
    convertible = {**kept.types, **hub.faces}
    written = _hand_written(api, kept, convertible, own, sources, report)
    kept = with_gates(kept, api, written.gates)
    compilation = Compilation(kept, hub, {**convertible, **hub.types}, written)
    if not report.has_errors:
        check_hand_written(hub.plans, convertible, written, report)
        _check_strategies(compilation, report)
    return compilation


def _hand_written(
    api: Api, kept: Api, types: Container[TypeId], own: Container[str], sources: Sources, report: Report
) -> HandWritten:
    """The project's functions, and those of the catalogue; one for a type that is not in `types` is left alone."""
    found = HandWritten()
    folder = sources.hand_written
    if folder is not None:
        shown = _shown(folder, sources.shown_from)
        found = find_hand_written(folder, api, report, shown, sources.copied_from, types)
    brought = tuple(group for group in kept.groups if group.folder not in own)
    if brought:
        theirs = replace(api, groups=brought)
        found |= find_hand_written(catalogue_functions(), theirs, report, None, CATALOGUE_IMPORTS, types)
    return found


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
