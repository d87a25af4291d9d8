"""A value that was excluded by name is accepted."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.constraints.compared import compared, constraint_change
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.constraints.excluded import was_excluded
from apigen.compat.rules.constraints.words import VALUES, change_in_words
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class ValueAccepted(ChangeRule):
    """`not`, `const` or `forbidden` refuse less."""

    id = "value-accepted"
    title = "a value that is no longer excluded by name"
    severities = Severities.of("I/W/W")
    explanation = (
        "What was excluded by `not`, `const` or `forbidden` is accepted now, and refused by servers of the release before: during"
        " an upgrade, and after a rollback."
    )
    fix = "accept the value in updates of objects that have it for a release, then everywhere"
    mitigations = (RatchetingBefore(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims these keywords where they accept more, and nothing less, and members that are no longer excluded."""
        found = constraint_change(change, *VALUES)
        if found is None:
            return was_excluded(change, context)
        both = compared(found, context)
        return verdict_of(change_in_words(found), both) if both.loosens else None
