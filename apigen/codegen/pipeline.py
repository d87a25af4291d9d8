"""The pipeline: specs to the checked input of the backends, and that to the files of the output.

Files are only accessed at both ends: specs are read first, and `apigen.build.publisher` writes the result of `generate`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.handwritten.find import check_leftovers, find_hand_written
from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.diagnostics.suggest import did_you_mean
from apigen.history.load import Recorded, RecordedModule, check_left_groups, load_history, with_past
from apigen.history.model import History
from apigen.history.rollback import rollback_from
from apigen.hub.build import build_hub
from apigen.hub.hand_written import check_hand_written
from apigen.hub.selection import defaulted_values, select, with_gates
from apigen.ir.hand_written import HandWritten, Role
from apigen.ir.model import Api, Release, TypeId
from apigen.ir.names import package_name
from apigen.ir.resolve import resolve
from apigen.ir.series import Releases, releases_of
from apigen.ir.stability import next_release
from apigen.language.configuration import CrdSettings
from apigen.language.load import BuiltinApis, builtin_apis_folder, builtin_apis_functions, load_api, with_builtin_apis
from apigen.language.model import ApiSpec
from apigen.language.selection import Choice, Names, choose, own_choice
from apigen.lint.cel import check_cel_rules
from apigen.lint.evolution import Evolution, run_evolution_rules
from apigen.lint.run import run_rules
from apigen.lint.set_values import check_incomplete_values

if TYPE_CHECKING:
    from apigen.codegen.output import OutputFile


BUILTIN_APIS_IMPORTS = "generated"
"""The name by which the hand-written functions of built-in APIs import the output into which they are copied."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The inputs of a run: the folder of specs, if there is one, and that of hand-written functions (which need not
    exist).

    `groups` are the folders of selected groups, `kinds` the names of selected kinds; if both are None, everything in
    the folder of specs is selected. Types that they use are included, from the built-in APIs too. `copied_from` is the name
    by which the hand-written functions import the output, if they are to be copied into it. `place` returns the
    location of such a list in the configuration. `release` is the next release; None: derived from the history.
    `series` are releases of other series to emulate by default. `crd` are the settings of CRD manifests.
    """

    specs: Path | None
    hand_written: Path | None = None
    display_root: Path | None = None
    groups: tuple[str, ...] | None = None
    copied_from: str | None = None
    kinds: tuple[str, ...] | None = None
    place: Callable[[str], Place] = lambda _: Place("command line")
    release: Release | None = None
    series: Releases = field(default_factory=dict)
    crd: CrdSettings = CrdSettings()


@dataclass(frozen=True, slots=True)
class Checked:
    """A spec folder that has been read, with the built-in groups that it uses.

    `api` is all of it, None if it cannot be resolved; `backend_input` is the selected part, None if there are errors.
    `own` are the folders of the groups that the folder itself has, `own_gates` its gates; `recorded` are their recorded
    releases, `release` is the next release.
    """

    spec: ApiSpec
    api: Api | None = None
    backend_input: BackendInput | None = None
    own: frozenset[str] = frozenset()
    own_gates: frozenset[str] = frozenset()
    recorded: Recorded = Recorded()
    release: Release | None = None


def check(
    sources: Sources,
    report: Report,
    *,
    check_unselected: bool = False,
    is_shipped: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> Checked:
    """Read and check a spec folder. A stage runs only if the stages before it found no errors.

    The whole folder is resolved, because names and numbers are unique within it. Types that are not selected are
    checked up to hubs and conversions only if `check_unselected` is set. `progress` is called with the name of each step
    when it starts.
    """
    progress("reading the specs")
    own = load_api(sources.specs, report, display_root=sources.display_root) if sources.specs else ApiSpec(())
    if sources.release is None and own.own_series in sources.series:
        sources = replace(sources, release=sources.series[own.own_series])
    builtin_apis = BuiltinApis(report, builtin_apis_folder())
    recorded = load_history(sources.specs, sources.display_root, builtin_apis, report)
    if not is_shipped:
        _check_release(sources, recorded, report)
    elif _is_past(sources.release, recorded):  # recording reports it; the specs are those of the next release
        sources = replace(sources, release=None)
    check_left_groups(recorded, recorded.target_release(sources.release), report)
    own = with_past(own, recorded.chains)
    return _checked(own, recorded, builtin_apis, sources, report, check_unselected=check_unselected, progress=progress)


def _checked(
    own: ApiSpec,
    recorded: Recorded,
    builtin_apis: BuiltinApis,
    sources: Sources,
    report: Report,
    *,
    check_unselected: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> Checked:
    choice = choose(Names(sources.groups, sources.kinds, sources.place), own, builtin_apis, report)
    spec = with_builtin_apis(own, builtin_apis, choice.folders)
    _check_series(spec, builtin_apis, sources, report)
    progress("resolving")
    release = recorded.target_release(sources.release)
    api = resolve(spec, report, release=release)
    if report.has_errors:
        return Checked(spec)
    all_of_project = own_choice(own)
    progress("checking rules")
    _check_rules(api, all_of_project.groups, report)
    evolution = _evolution(api, all_of_project, recorded, sources.release)
    run_evolution_rules(evolution, report)
    progress("building hubs")
    if check_unselected and choice != all_of_project:
        _compile(api, all_of_project, all_of_project.groups, sources, report)
    backend_input = _compile(api, choice, all_of_project.groups, sources, report, progress)
    releases = releases_of(api, release, sources.series)
    rollback = rollback_from(api, release, recorded.history, evolution.groups)
    backend_input = replace(backend_input, rollback=rollback, history=recorded.history, releases=releases)
    compiled = None if report.error_count else backend_input
    return Checked(spec, api, compiled, all_of_project.groups, all_of_project.gates, recorded, release)


def _check_series(spec: ApiSpec, builtin_apis: BuiltinApis, sources: Sources, report: Report) -> None:
    """Report releases that are given for series that do not exist (AG0907)."""
    if not sources.series:
        return
    known = {each.name.value for each in (*spec.series, *builtin_apis.series)}
    known |= {group.series for group in spec.groups} | {feature.series for feature in spec.features}
    known.discard("")
    for name in sources.series:
        if name not in known:
            hint = did_you_mean(name, known) or f"known release series: {', '.join(sorted(known))}"
            report.error("AG0907", sources.place("series"), f"unknown release series {quote(name)}", hint=hint)


def _check_rules(api: Api, own: Container[str], report: Report) -> None:
    """Report the findings of rules in the project's own groups."""
    run_rules(api, report, groups=own)
    check_cel_rules(api, report, own)


def check_recorded(sources: Sources, release: Release, report: Report) -> Checked:
    """Return a release as recorded, with its recorded hand-written functions, which are copied to the output.

    Selected elements that the release did not have are omitted. Errors: AG0913 no such record, and those of records.
    """
    builtin_apis = BuiltinApis(report, builtin_apis_folder())
    recorded = load_history(sources.specs, sources.display_root, builtin_apis, report)
    if recorded.rebuilder is None or release not in recorded.history.releases:
        if not report.has_errors:
            _report_unknown(release, recorded, report)
        return Checked(ApiSpec(()))
    own, api = recorded.rebuilder.own(release, report), recorded.history.api(release)
    spec, all_of_project = with_builtin_apis(own, builtin_apis), own_choice(own)
    choice = choose(Names(sources.groups, sources.kinds), own, builtin_apis, Report())
    backend_input = None
    if not report.has_errors:
        with tempfile.TemporaryDirectory() as folder:
            functions = Path(folder, (sources.hand_written or Path("handwritten")).name)
            _write_modules(recorded.rebuilder.modules(release), functions, report)
            then = replace(sources, hand_written=functions, display_root=None)
            backend_input = _compile(api, choice, all_of_project.groups, then, report)
            before = History((each for each in recorded.history.releases if each < release), recorded.history.api)
            rollback = rollback_from(api, release, before, all_of_project.groups)
            releases = releases_of(api, release, sources.series)
            backend_input = replace(backend_input, rollback=rollback, history=before, releases=releases)
    if report.has_errors:
        return Checked(spec)
    return Checked(spec, api, backend_input, all_of_project.groups, all_of_project.gates, recorded, release)


def _check_release(sources: Sources, recorded: Recorded, report: Report) -> None:
    """Report a next release that is not newer than the recorded releases: the specs could not be compared with them."""
    newest, release = recorded.history.newest, sources.release
    if newest is not None and _is_past(release, recorded):
        message = f"{newest} is recorded, and {release} is not a release after it"
        hint = f"the specs belong to the next release: pass a later release, such as {next_release(newest)}, or none"
        report.error("AG1303", sources.place("release"), message, hint=hint)


def _is_past(release: Release | None, recorded: Recorded) -> bool:
    newest = recorded.history.newest
    return newest is not None and release is not None and release < newest


def _report_unknown(release: Release, recorded: Recorded, report: Report) -> None:
    known = [str(each) for each in recorded.history.releases]
    hint = did_you_mean(str(release), known) or (
        f"recorded releases: {', '.join(known)}" if known else "no release is recorded"
    )
    report.error("AG0913", Place("command line"), f"release {release} was not recorded", hint=hint)


def _write_modules(modules: Iterable[RecordedModule], folder: Path, report: Report) -> None:
    """Write recorded functions to files in their original form. Paths are checked, because a record may be untrusted."""
    from apigen.codegen.output import check_path

    for module in modules:
        path = f"{package_name(module.group)}/{module.path}"
        try:
            check_path(path)
        except ValueError as error:
            report.error("AG1302", module.place, f"{quote(path)} is no module of hand-written functions: {error}")
            continue
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(module.text, encoding="utf-8", newline="")


def compile_unruled(own: ApiSpec, report: Report, choice: Choice | None = None) -> BackendInput | None:
    """Compile specs without rules of style, history and hand-written functions, for a single use.

    `choice` is the selected part; None selects everything. Returns None, with errors in `report`, if they cannot be
    compiled.
    """
    api = resolve(with_builtin_apis(own, BuiltinApis(report, builtin_apis_folder())), report)
    if report.has_errors:
        return None
    all_of_project = own_choice(own)
    backend_input = _compile(api, choice or all_of_project, all_of_project.groups, Sources(None), report)
    return None if report.has_errors else backend_input


def _evolution(api: Api, all_of_project: Choice, recorded: Recorded, configured: Release | None) -> Evolution:
    """Return the step from the recorded releases to the current specs."""
    series = api.series_of_groups
    groups = frozenset(folder for folder in all_of_project.groups if not series.get(folder))
    gates = all_of_project.gates.difference(feature.name for feature in api.features if feature.series)
    newest = recorded.history.newest
    if recorded.rebuilder is not None and newest is not None:
        gates |= {feature.name for feature in recorded.rebuilder.own(newest, Report()).features}
    release = recorded.target_release(configured)
    return Evolution(api, recorded.history, release, groups, gates)


def _compile(
    api: Api,
    choice: Choice,
    own: Container[str],
    sources: Sources,
    report: Report,
    progress: Callable[[str], None] = lambda _: None,
) -> BackendInput:
    selection = select(api, choice)
    kept = selection.kept
    hub = build_hub(selection.shape, report, kept.types, selection.values)
    convertible = {**kept.types, **hub.views}
    progress("finding hand-written functions")
    written = _hand_written(api, kept, convertible, own, sources, report, selection.values)
    kept = with_gates(kept, api, written.gates)
    chosen_own = frozenset(group.folder for group in kept.groups if group.folder in own)
    backend_input = BackendInput(kept, hub, {**convertible, **hub.types}, written, own=chosen_own, crd=sources.crd)
    progress("checking strategies")
    if not report.has_errors:
        from apigen.codegen.strategies.problems import check_strategies

        folder = "handwritten" if sources.hand_written is None else sources.hand_written.name
        check_hand_written(hub.plans, convertible, written, folder, report)
        check_incomplete_values(kept, written, report, own)
        check_strategies(backend_input, report)
    return backend_input


def _hand_written(
    api: Api,
    kept: Api,
    types: Container[TypeId],
    own: Container[str],
    sources: Sources,
    report: Report,
    values: frozenset[TypeId],
) -> HandWritten:
    """Return the hand-written functions of the project and of built-in APIs; functions for types not in `types` are
    ignored.

    For types in `values`, only validation functions are used, and default functions if a field opts in.
    """
    defaulted = defaulted_values(kept, values)

    def is_left_out(id_: TypeId, role: Role) -> bool:
        if id_ not in values or role is Role.VALIDATE:
            return False
        return role is not Role.DEFAULT or id_ not in defaulted

    functions_found = HandWritten()
    folder = sources.hand_written
    if folder is not None:
        display_path = _display_path(folder, sources.display_root)
        functions_found = find_hand_written(folder, api, report, display_path, sources.copied_from, types, is_left_out)
        if not report.has_errors:
            check_leftovers(folder, display_path or folder.name, api.groups, own, report)
    builtin_groups = tuple(group for group in kept.groups if group.folder not in own)
    if builtin_groups:
        builtin_api = replace(api, groups=builtin_groups)
        functions = builtin_apis_functions()
        functions_found |= find_hand_written(
            functions, builtin_api, report, None, BUILTIN_APIS_IMPORTS, types, is_left_out
        )
    return functions_found


def generate(
    backend_input: BackendInput,
    progress: Callable[[str], None] = lambda _: None,
    backends: Iterable[str] | None = None,
) -> Iterator[OutputFile]:
    """Yield every file of the output, backend by backend. `progress` is called with the name of each backend when it
    starts.

    `backends` are the selected ones, which include those that they need; None selects all.
    """
    from apigen.codegen.registry import backend_of, chosen

    written: list[str] = []
    for name in chosen(backends):
        progress(name)
        for file in backend_of(name)(backend_input):
            written.append(file.path)
            yield file
    if any(path.endswith(".py") for path in written):
        from apigen.codegen import packages  # loaded here, because checks and manifests do not need templates

        progress("packages")
        yield from packages.plan(backend_input, written)


def _display_path(folder: Path | None, root: Path | None) -> str | None:
    if folder is None or root is None:
        return None
    try:
        return folder.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return None
