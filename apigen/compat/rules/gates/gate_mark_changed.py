"""A field is behind other gates, which lets in and keeps out the same."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.gates.marks import Marks
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import note
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class GateMarkChanged(ChangeRule):
    """By default nothing changes; those who switch gates find others."""

    id = "gate-mark-changed"
    title = "the gates of a field changed, and by default it is there, or is not, as before"
    severities = Severities.of("I/W/W")
    explanation = (
        "A mark that came with a gate that is on, went with one that is locked, or has other words (`inUse`, `to`, `during`) changes"
        " nothing for those who leave gates alone. Who sets gates by hand may lose the field, or keep it where it was dropped."
    )
    fix = "nothing, if the gates are meant to be on; say in the release notes which gate it is now"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered):
            return None
        marks = Marks.of(change, context)
        message = f"the gate of {change.element} was {value_words(change.before)}, and is {value_words(change.after)}"
        if marks.after is None:
            return note(f"{message}; it was locked", "nothing")
        hits = {Direction.OLD_CLIENT: depends(f"who switches gates by hand gets {change.element.path} in other cases")}
        return Verdict(message, hits, self.fix)
