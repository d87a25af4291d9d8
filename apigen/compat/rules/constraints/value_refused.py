"""A value that was accepted is excluded by name."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.constraints.compared import compared, constraint_change
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.constraints.excluded import came_excluded
from apigen.compat.rules.constraints.words import VALUES, change_in_words
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class ValueRefused(ChangeRule):
    """`not`, `const` or `forbidden` refuse what was accepted."""

    id = "value-refused"
    title = "a value that is excluded by name"
    severities = Severities.of("W/E/E")
    explanation = (
        "`not` excludes a value, `const` all but one, `forbidden` all of them. Clients that send such a value worked, and stored"
        " objects may have it."
    )
    fix = "go on to accept the value; a field that is no longer wanted is deprecated, and removed after its window"
    mitigations = (Ratcheting(), RatchetingBefore())

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims these keywords where they are not proven to accept what was accepted, and members that are excluded now."""
        found = constraint_change(change, *VALUES)
        if found is None:
            return came_excluded(change, context)
        both = compared(found, context)
        return verdict_of(change_in_words(found), both) if both.tightens else None
