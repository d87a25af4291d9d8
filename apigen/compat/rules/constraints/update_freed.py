"""A value may change in more ways."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inclusion.restrictions import restrictions
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.words import UPDATES, change_in_words
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class UpdateFreed(ChangeRule):
    """`immutable`, `monotonic` or `update` refuse fewer updates."""

    id = "update-freed"
    title = "an update that was refused"
    severities = Severities.of("I/I/W")
    explanation = (
        "Who read a value once and kept it, because it never changed, is wrong from now on: controllers that made other objects"
        " from it, for instance. Servers of the release before refuse such an update."
    )
    fix = "see that nobody relies on the value to stay as it is"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims whatever no longer restricts updates."""
        found = constraint_change(change, *UPDATES)
        if found is None or not restrictions(found.before) - restrictions(found.after):
            return None
        return Verdict(
            change_in_words(found),
            {
                Direction.OLD_CLIENT: depends(
                    "a client of before that read the value once does not see that it changed"
                ),
                Direction.NEW_CLIENT: breaks("a new client that changes the value at a server of before is refused"),
                Direction.ROLLBACK: depends("the release before may have relied on a value that changed meanwhile"),
            },
        )
