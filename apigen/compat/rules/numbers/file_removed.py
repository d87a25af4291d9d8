"""A file is gone."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.claims import added, removed
from apigen.compat.rules.numbers.words import NOTHING, silent
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.preset import SOURCE
from apigen.compat.verdict.verdict import Verdict


@change_rule("file-removed", removed(ElementKind.FILE), added(ElementKind.FILE), severities="I/W/E", presets=SOURCE)
def file_removed(change: AnyChange, context: Context) -> Verdict | None:
    """Imports of it lead nowhere."""
    if isinstance(change, Added):
        return silent(f"{change.element} is new")
    return Verdict(f"{change.element} is gone, and imports of it lead nowhere", NOTHING)
