"""A value that clients only read, or only wrote, is one like others."""

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


class AccessFreed(ChangeRule):
    """`readOnly` or `writeOnly` went."""

    id = "access-freed"
    title = "a value that clients may write and read now"
    severities = Severities.of("I/W/W")
    explanation = (
        "A client that sends back what it has read now sets a value that was read-only. What was write-only was kept from readers"
        " for a reason: mostly it is a secret. Servers of the release before drop or refuse what new clients set."
    )
    fix = "see that clients that send back what they read do no harm, and that nothing secret is shown"
    no_witness = "the schema says what a server does with a value, and no schema refuses one for it"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims these flags where they went."""
        found = constraint_change(change, Keyword.READ_ONLY, Keyword.WRITE_ONLY)
        if found is None or restrictions(found.after):
            return None
        return Verdict(
            change_in_words(found),
            {
                Direction.OLD_CLIENT: depends("a client of before that sends back what it read sets the value"),
                Direction.NEW_CLIENT: breaks(
                    "a new client finds the value dropped, refused or missing at a server of before"
                ),
                Direction.ROLLBACK: depends("the release before does not expect the value to be set by clients"),
            },
        )
