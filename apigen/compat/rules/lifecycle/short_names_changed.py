"""A kind has other short names or categories."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.lifecycle.entries import Entries
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import note
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class ShortNamesChanged(ChangeRule):
    """People and scripts type them."""

    id = "short-names-changed"
    title = "short names or categories of a kind came or went"
    severities = Severities.of("I/W/W")
    explanation = (
        "Short names (`kubectl get fr`) and categories (`kubectl get all`) are no part of any object: clients look them up on the"
        " server. Scripts that use one that is gone fail; one that is new may hide that of another group."
    )
    fix = "keep the names that were there; new ones may come beside them"
    no_witness = "they are typed on a command line, and stand in no object"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered):
            return None
        entries = Entries.of(change)
        message = f"{change.trait} of kind {change.element.type} changed: {entries.words}"
        if not entries.gone:
            return note(message, "nothing")
        hit = depends(f"a script that types {entries.gone[0]} is not understood any more")
        return Verdict(message, {Direction.OLD_CLIENT: hit}, self.fix)
