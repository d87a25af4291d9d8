"""A column that people see in lists is gone."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.lifecycle.entries import Entries
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import note
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class PrinterColumnRemoved(ChangeRule):
    """Scripts that cut columns out of a table get others."""

    id = "printer-column-removed"
    title = "a printer column was removed, changed or added"
    severities = Severities.of("I/I/W")
    explanation = (
        "Printer columns are what `kubectl get` shows. They are for people; but scripts count columns, and break when one is gone or"
        " another comes before."
    )
    fix = "keep the columns in their order, and add new ones at the end"
    no_witness = "columns are what a client prints, and stand in no object"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered):
            return None
        entries = Entries.of(change)
        message = f"printer columns of {change.element.type} changed: {entries.words}"
        if not entries.gone:
            return note(message, "nothing")
        hit = depends(f"a script that reads the column {entries.gone[0]} finds another one, or none")
        return Verdict(message, {Direction.OLD_CLIENT: hit}, self.fix)
