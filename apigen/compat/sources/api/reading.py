"""Reads a spec folder as a surface: as far as names and types are bound, without rules of style, hubs or backends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from apigen.catalogue import Catalogue, NamedByTypes, catalogue_folder, with_catalogue
from apigen.compat.sources.api.side import SpecsSide
from apigen.compat.sources.api.surface_of import Own, surface_of
from apigen.compat.sources.sharing import Sharing
from apigen.compat.surface.surface import Surface
from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Report, Severity
from apigen.history.load import Recorded, load_history
from apigen.ir.model import Api, Field, Lifecycle, Release, Struct
from apigen.ir.resolve import resolve
from apigen.ir.series import releases_of
from apigen.ir.shared_types import SharedTypes
from apigen.spec.collecting import gc_paused, kept
from apigen.spec.load import SpecFolder
from apigen.spec.model import ApiSpec
from apigen.spec.read_before import ReadBefore
from apigen.spec.shared_files import SharedFiles

if TYPE_CHECKING:
    from apigen.spec.known_files import KnownFiles


def read_specs(
    folder: Path,
    shown_from: Path,
    label: str,
    form: str,
    report: Report,
    release: Release | None = None,
    known: KnownFiles | None = None,
    sharing: Sharing | None = None,
) -> Surface | None:
    """The surface of a spec folder. Its places start at `shown_from`; `release` is the one in the making, if anybody says.

    Files that are `known` are not read again. With `sharing`, the second side takes over what the first says, too.
    None, with errors in `report`, where anything in it cannot be resolved. Warnings are a matter of `apigen lint`.
    """
    asked = _Asked(folder, shown_from, label, form, release)
    with gc_paused():
        return _read_alone(asked, report, known) if sharing is None else _read_sharing(asked, report, sharing)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked for: a folder, and how its places and the surface of it are called."""

    folder: Path
    shown_from: Path
    label: str
    form: str
    release: Release | None


def _read_alone(asked: _Asked, report: Report, known: KnownFiles | None) -> Surface | None:
    found = Report()
    bound = _bound(asked, found, known, None, NamedByTypes())
    return None if add_errors(found, report) else _surface(asked, bound, None)


def _read_sharing(asked: _Asked, report: Report, sharing: Sharing) -> Surface | None:
    """One side of two. Places of the other one are not for people: what is wrong is told by reading this one alone."""
    first, found = sharing.first, Report()
    files = SharedFiles(None if first is None else first.files)
    types = SharedTypes(None if first is None else first.types)
    names = NamedByTypes() if first is None else first.names
    bound = kept(_bound(asked, found, files, types, names))
    if first is not None and (found.has_errors or files.is_ambiguous):
        return _read_alone(asked, report, None)
    if add_errors(found, report):
        return None
    surface = _surface(asked, bound, first)
    if first is not None:
        return replace(surface, moved=files.moved)
    sharing.first = SpecsSide(files, types, names, bound.api, surface)
    return surface


@dataclass(frozen=True, slots=True)
class _Bound:
    """The specs of a folder and what was recorded of them, with names and types bound."""

    own: ApiSpec
    recorded: Recorded
    api: Api


def _bound(
    asked: _Asked, found: Report, known: ReadBefore | None, types: SharedTypes | None, names: NamedByTypes
) -> _Bound:
    folder = SpecFolder(asked.folder, found, display_root=asked.shown_from, known=known)
    own = folder.all()
    catalogue = Catalogue(found, catalogue_folder(), known, names)
    recorded = load_history(asked.folder, asked.shown_from, catalogue, found, folder.histories)
    if recorded.chains:
        from apigen.history.past import with_past  # most specs have none

        own = with_past(own, recorded.chains)
    api = resolve(with_catalogue(own, catalogue), found, is_checked=False, shared=types)
    return _Bound(own, recorded, api)


def _surface(asked: _Asked, bound: _Bound, first: SpecsSide | None) -> Surface:
    groups, gates = (group.folder for group in bound.own.groups), (each.name for each in bound.own.features)
    own = Own(frozenset(groups), frozenset(gates))
    release = bound.recorded.release_in_the_making(asked.release) or newest_mentioned(bound.api, own)
    return surface_of(
        bound.api, asked.label, asked.form, release, own, first=first, series_releases=releases_of(bound.api)
    )


def add_errors(found: Report, report: Report) -> bool:
    """Add the errors among what was found, without warnings; returns whether there are any."""
    errors = [each for each in found.diagnostics if each.severity is Severity.ERROR]
    for error in errors:
        report.add(error)
    return bool(errors)


def newest_mentioned(api: Api, own: Own) -> Release | None:
    """The newest release of the project's series in which anything came, or a gate reached a stage; None where nothing says."""
    groups = [group for group in api.groups if group.folder in own.folders and not group.series]
    folders = {group.folder for group in groups}
    lifecycles = [version.lifecycle for group in groups for version in group.versions]
    for id_, type_ in api.types.items():
        if id_.group in folders and isinstance(type_, Struct):
            lifecycles += _lifecycles(type_)
    said = [each.introduced for each in lifecycles if each.introduced is not None]
    gates = (feature for feature in api.features if feature.name in own.gates and not feature.series)
    said += (stage.release for gate in gates for stage in gate.stages)
    return max(said, default=None)


def _lifecycles(struct: Struct) -> Iterator[Lifecycle]:
    yield struct.lifecycle
    fields: tuple[Field, ...] = struct.fields
    yield from (field.lifecycle for field in fields)
