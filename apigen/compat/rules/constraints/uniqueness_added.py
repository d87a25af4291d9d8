"""Elements of a list must differ."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.constraints.uniqueness import uniqueness_compared
from apigen.compat.rules.constraints.words import UNIQUENESS, change_in_words
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class UniquenessAdded(ChangeRule):
    """A list with an element twice is refused."""

    id = "uniqueness-added"
    title = "a list whose elements must differ now"
    severities = Severities.of("W/E/E")
    explanation = (
        "Lists with equal elements, or with elements of the same name, were accepted and may be stored. They are refused from"
        " now on, whatever the update was about, unless the list stays as it is."
    )
    fix = "leave lists with repeated elements valid; a set or map of server-side apply is another matter (listType)"
    mitigations = (Ratcheting(), RatchetingBefore())

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims uniqueness that was not asked for, or is judged by fewer fields."""
        found = constraint_change(change, *UNIQUENESS)
        if found is None:
            return None
        both = uniqueness_compared(found, context)
        return verdict_of(change_in_words(found), both) if both.tightens else None
