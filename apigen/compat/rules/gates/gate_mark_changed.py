"""A field is behind other gates, which lets in and keeps out the same."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.gates.marks import Marks
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import note
from apigen.compat.values.hits import everywhere
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class GateMarkChanged(ChangeRule):
    """By default nothing changes; those who switch gates find others."""

    id = "gate-mark-changed"
    title = "the gates of a field changed, and by default it is there, or is not, as before"
    severities = Severities.of("I/W/W")
    explanation = (
        "A mark that came with a gate that is on, or went with one that is locked, changes nothing for those who leave gates alone. Who"
        " sets gates by hand may lose the field, or keep it where it was dropped. Where a gate is off, other words (`inUse`, `to`,"
        " `during`) let other values through."
    )
    fix = "nothing, if the gates are meant to be on; say in the release notes which gate it is now"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered):
            return None
        marks = Marks.of(change, context)
        message = f"the gate of {change.element} was {value_words(change.before)}, and is {value_words(change.after)}"
        path = change.element.path
        if marks.is_settled:
            return note(message if marks.after is not None else f"{message}; it was locked", "nothing")
        hits = {Direction.OLD_CLIENT: depends(f"who switches gates by hand gets {path} in other cases")}
        if marks.may_differ_by_default:
            text = f"one of both servers may drop or replace {path}, or keep it, where the other one does not"
            hits = everywhere(depends(text))
        return Verdict(message, hits, self.fix)
