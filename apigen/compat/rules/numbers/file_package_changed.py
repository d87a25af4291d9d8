"""A file has another package."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.claims import removed
from apigen.compat.rules.numbers.words import hits_in
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import SourceFile
from apigen.compat.verdict.impact import CLIENTS, Impact
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule("file-package-changed", removed(ElementKind.FILE), severities="W/E/E", presets=WIRE)
def file_package_changed(change: AnyChange, context: Context) -> Verdict | None:
    """All that it holds has another full name."""
    if not isinstance(change, Removed) or not isinstance(change.part, SourceFile):
        return None
    name = change.part.name
    versions = (version for group in context.new.groups.values() for version in group.versions.values())
    found = next((version.files[name] for version in versions if name in version.files), None)
    if found is None:
        return None
    message = f"{name} has the package {found.package or '(none)'} instead of {change.part.package or '(none)'}"
    hits = hits_in(CLIENTS, "is not understood where it names a type or method of the file in full", Impact.DEPENDS)
    return Verdict(message, hits)
