"""A value became one that clients only read, or only write."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inclusion.restrictions import restrictions
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.words import change_in_words
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.constraints import Keyword
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class AccessRestricted(ChangeRule):
    """`readOnly` or `writeOnly` came."""

    id = "access-restricted"
    title = "a value that clients no longer write, or no longer read"
    severities = Severities.of("W/E/E")
    explanation = (
        "What is read-only is dropped or refused when a client sends it, and what is write-only is not sent back: clients that did"
        " the one or the other lose the value."
    )
    fix = "go on to take and to return the value"
    no_witness = "the schema says what a server does with a value, and no schema refuses one for it"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims these flags where they came."""
        found = constraint_change(change, Keyword.READ_ONLY, Keyword.WRITE_ONLY)
        if found is None or not restrictions(found.after):
            return None
        if found.keyword is Keyword.READ_ONLY:
            text = "a client of before that sets the value finds it dropped or refused"
        else:
            text = "a client of before that reads the value no longer finds it"
        stored = depends("a stored value may be dropped when its object is written, or never be shown again")
        return Verdict(change_in_words(found), {Direction.OLD_CLIENT: breaks(text), Direction.STORED: stored})
