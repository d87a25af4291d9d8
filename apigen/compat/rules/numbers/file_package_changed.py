"""A file has another package."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import hits_in
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.surface import SourceFile
from apigen.compat.verdict.impact import CLIENTS, Impact
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class FilePackageChanged(ChangeRule):
    """All that it holds has another full name."""

    id = "file-package-changed"
    title = "a file in another package"
    severities = Severities.of("W/E/E")
    explanation = (
        "Types, services and extensions of the file are called otherwise: in the type URLs of `Any`, in the paths"
        " of methods, in the JSON names of extensions, and in generated code."
    )
    fix = "keep the package; a new one is a new file beside the old"
    no_witness = "objects do not hold the names of packages"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims files that the new side has in another package."""
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
