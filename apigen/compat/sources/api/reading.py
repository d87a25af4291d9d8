"""Reads a spec folder as a surface: as far as names and types are bound, without rules of style, hubs or backends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from apigen.catalogue import Catalogue, catalogue_folder, with_catalogue
from apigen.compat.sources.api.surface_of import Own, surface_of
from apigen.compat.surface.surface import Surface
from apigen.diagnostics import Report, Severity
from apigen.history.load import load_history
from apigen.history.past import with_past
from apigen.ir.model import Api, Field, Lifecycle, Release, Struct
from apigen.ir.resolve import resolve
from apigen.spec.collecting import gc_paused
from apigen.spec.known_files import KnownFiles
from apigen.spec.load import load_api


def read_specs(
    folder: Path,
    shown_from: Path,
    label: str,
    form: str,
    report: Report,
    release: Release | None = None,
    known: KnownFiles | None = None,
) -> Surface | None:
    """The surface of a spec folder. Its places start at `shown_from`; `release` is the one in the making, if anybody says.

    Files that are `known` are not read again.
    None, with errors in `report`, where anything in it cannot be resolved. Warnings are a matter of `apigen lint`.
    """
    with gc_paused():
        return _read(folder, shown_from, label, form, report, release, known)


def _read(
    folder: Path,
    shown_from: Path,
    label: str,
    form: str,
    report: Report,
    release: Release | None,
    known: KnownFiles | None,
) -> Surface | None:
    found = Report()
    own = load_api(folder, found, display_root=shown_from, known=known)
    catalogue = Catalogue(found, catalogue_folder(), known)
    recorded = load_history(folder, shown_from, catalogue, found)
    own = with_past(own, recorded.chains)
    api = resolve(with_catalogue(own, catalogue), found, is_checked=False)
    if add_errors(found, report):
        return None
    having = Own(frozenset(group.folder for group in own.groups), frozenset(each.name for each in own.features))
    release = recorded.release_in_the_making(release) or newest_mentioned(api, having)
    return surface_of(api, label, form, release, having)


def add_errors(found: Report, report: Report) -> bool:
    """Add the errors among what was found, without warnings; returns whether there are any."""
    errors = [each for each in found.diagnostics if each.severity is Severity.ERROR]
    for error in errors:
        report.add(error)
    return bool(errors)


def newest_mentioned(api: Api, own: Own) -> Release | None:
    """The newest release in which anything of its own came, or a gate reached a stage; None where nothing says."""
    groups = [group for group in api.groups if group.folder in own.folders]
    lifecycles = [version.lifecycle for group in groups for version in group.versions]
    for id_, type_ in api.types.items():
        if id_.group in own.folders and isinstance(type_, Struct):
            lifecycles += _lifecycles(type_)
    said = [each.introduced for each in lifecycles if each.introduced is not None]
    gates = (feature for feature in api.features if feature.name in own.gates)
    said += (stage.release for gate in gates for stage in gate.stages)
    return max(said, default=None)


def _lifecycles(struct: Struct) -> Iterator[Lifecycle]:
    yield struct.lifecycle
    fields: tuple[Field, ...] = struct.fields
    yield from (field.lifecycle for field in fields)
