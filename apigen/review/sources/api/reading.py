"""Reads a spec folder as a surface: as far as names and types are bound, without rules of style, hubs or backends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from apigen.dataclass import replace
from apigen.diagnostics import Report, Severity
from apigen.history.load import load_history, with_past
from apigen.ir.model import Api, Field, Lifecycle, Release, Struct
from apigen.ir.resolve import resolve
from apigen.ir.series import releases_of
from apigen.ir.surface import Surface
from apigen.language.load import BuiltinApis, SpecFolder, builtin_apis_folder, with_builtin_apis
from apigen.review.sources.api.surface_of import Own, growth_declared_late, surface_of
from apigen.runtime.gc import gc_paused


def read_specs(
    folder: Path,
    display_root: Path,
    label: str,
    form: str,
    report: Report,
    release: Release | None = None,
) -> Surface | None:
    """Return the surface of a spec folder, whose places start at `display_root`. `release` is the next release, if it is known.

    None, with errors in `report`, if anything in it cannot be resolved. Warnings are reported by `apigen lint` only.
    """
    own_report = Report()
    with gc_paused():
        folder_of_specs = SpecFolder(folder, own_report, display_root=display_root)
        specs = folder_of_specs.all()
        builtin_apis = BuiltinApis(own_report, builtin_apis_folder())
        recorded = load_history(folder, display_root, builtin_apis, own_report, folder_of_specs.histories)
        if recorded.chains:
            specs = with_past(specs, recorded.chains)
        following = recorded.target_release(release)
        api = resolve(with_builtin_apis(specs, builtin_apis), own_report, is_checked=False, release=following)
        if add_errors(own_report, report):
            return None
        own = Own(frozenset(group.folder for group in specs.groups), frozenset(each.name for each in specs.features))
        release = following or newest_mentioned(api, own)
        surface = surface_of(api, label, form, release, own, series_releases=releases_of(api))
        late = growth_declared_late(recorded.history, api, own.folders)
        return replace(surface, specs=specs, growth_declared_late=late)


def add_errors(found: Report, report: Report) -> bool:
    """Add the errors of a report to another one, without warnings; return whether there are any."""
    errors = [each for each in found.diagnostics if each.severity is Severity.ERROR]
    for error in errors:
        report.add(error)
    return bool(errors)


def newest_mentioned(api: Api, own: Own) -> Release | None:
    """Return the newest release of the project's series that introduces an element or a stage of a gate; None if no
    release is named.
    """
    groups = [group for group in api.groups if group.folder in own.folders and not group.series]
    folders = {group.folder for group in groups}
    lifecycles = [version.lifecycle for group in groups for version in group.versions]
    for id_, type_ in api.types.items():
        if id_.group in folders and isinstance(type_, Struct):
            lifecycles += _lifecycles(type_)
    releases = [each.introduced for each in lifecycles if each.introduced is not None]
    gates = (feature for feature in api.features if feature.name in own.gates and not feature.series)
    releases += (stage.release for gate in gates for stage in gate.stages)
    return max(releases, default=None)


def _lifecycles(struct: Struct) -> Iterator[Lifecycle]:
    yield struct.lifecycle
    fields: tuple[Field, ...] = struct.fields
    yield from (field.lifecycle for field in fields)
