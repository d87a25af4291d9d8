"""A column that people see in lists is gone."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.lifecycle.entries import Entries
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import note
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("printer-column-removed", altered(Trait.PRINTER_COLUMNS, ElementKind.KIND), severities="I/I/W")
def printer_column_removed(change: AnyChange, context: Context) -> Verdict | None:
    """Scripts that cut columns out of a table get others."""
    if not isinstance(change, Altered):
        return None
    entries = Entries.of(change)
    message = f"printer columns of {change.element.type} changed: {entries.words}"
    if not entries.gone:
        return note(message, "nothing")
    hit = depends(f"a script that reads the column {entries.gone[0]} finds another one, or none")
    return Verdict(
        message,
        {Direction.OLD_CLIENT: hit},
    )
