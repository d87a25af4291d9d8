"""Elements of a list need no longer differ."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.constraints.uniqueness import uniqueness_compared
from apigen.compat.rules.constraints.words import UNIQUENESS, change_in_words
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class UniquenessRemoved(ChangeRule):
    """A list with an element twice is accepted."""

    id = "uniqueness-removed"
    title = "a list whose elements may repeat now"
    severities = Severities.of("I/W/W")
    explanation = (
        "Clients that keep the elements in a set or by name lose one of two equal ones. Servers of the release before refuse"
        " updates of such objects."
    )
    fix = "keep the elements unique"
    mitigations = (RatchetingBefore(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims uniqueness that is gone, or is judged by more fields."""
        found = constraint_change(change, *UNIQUENESS)
        if found is None:
            return None
        both = uniqueness_compared(found, context)
        return verdict_of(change_in_words(found), both) if both.loosens else None
