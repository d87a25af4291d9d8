"""Releases of the project that were recorded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from apigen.dataclass import replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.diagnostics.suggest import did_you_mean
from apigen.files.folder_contents import UnusualFileError, key_parts
from apigen.inputs.source import Setting, Source
from apigen.ir.model import Api, Release
from apigen.ir.surface import Surface
from apigen.language.releases import RELEASE_PATTERN

if TYPE_CHECKING:
    from apigen.history.load import Recorded

_NAME = re.compile(rf"v?({RELEASE_PATTERN})")


class Releases(Source):
    """A recorded release: `release:1.12`, or `1.12` if no other input has that name."""

    form = "release"
    title = "a recorded release"

    def recognises(self, argument: str, setting: Setting) -> bool:
        """Any text with the form of a release."""
        return _NAME.fullmatch(argument) is not None

    def load(self, argument: str, setting: Setting, report: Report) -> Surface | None:
        """Build the release again. Errors: AG1406 there is no such record, and those of records."""
        from apigen.review.sources.api.reading import add_errors

        own_report = Report()
        recorded = _recorded(setting, own_report)
        release = _release(argument)
        surface = None
        if not own_report.has_errors and (release is None or release not in recorded.history.releases):
            known = [str(each) for each in recorded.history.releases]
            none_recorded = "no release is recorded; `apigen release` records one"
            listed = f"recorded releases: {', '.join(known)}" if known else none_recorded
            message, hint = f"release {quote(argument)} was not recorded", did_you_mean(argument, known) or listed
            report.error("AG1406", Place("command line"), message, hint=hint)
        elif not own_report.has_errors and release is not None:
            surface = recorded_surface(release, recorded, own_report)
        return None if add_errors(own_report, report) else surface

    def content(self, argument: str, setting: Setting) -> tuple[str | bytes, ...] | None:
        """The records, which are next to the specs."""
        try:
            return None if setting.specs is None else (argument, *key_parts(setting.specs))
        except UnusualFileError:
            return None


def _recorded(setting: Setting, report: Report) -> Recorded:
    from apigen.history.load import load_history
    from apigen.language.load import BuiltinApis, builtin_apis_folder

    return load_history(setting.specs, setting.folder, BuiltinApis(report, builtin_apis_folder()), report)


def _release(argument: str) -> Release | None:
    from apigen.language.releases import parse_release

    match = _NAME.fullmatch(argument)
    return None if match is None else parse_release(match[1])


def recorded_surface(release: Release, recorded: Recorded, report: Report, now: Api | None = None) -> Surface | None:
    """Return the surface of a recorded release; records have no docs. None if no release is recorded.

    `now`: see `growth_declared_late`.
    """
    from apigen.review.sources.api.surface_of import Own, growth_declared_late, surface_of

    if recorded.rebuilder is None:
        return None
    spec = recorded.rebuilder.own(release, report)
    own = Own(frozenset(group.folder for group in spec.groups), frozenset(gate.name for gate in spec.features))
    label = f"{Releases.form}:{release}"
    surface = surface_of(recorded.history.api(release), label, Releases.form, release, own, has_docs=False)
    late = growth_declared_late(recorded.history, recorded.history.api(release), own.folders, now)
    return replace(surface, specs=spec, growth_declared_late=late)
