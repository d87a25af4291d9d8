"""A bound came, or became tighter."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.constraints.compared import compared, constraint_change
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.constraints.words import BOUNDS, change_in_words
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class BoundTightened(ChangeRule):
    """A value that was valid is refused."""

    id = "bound-tightened"
    title = "a bound that refuses what was accepted"
    severities = Severities.of("W/E/E")
    explanation = (
        "Kubernetes' API changes: what was valid stays valid. A minimum, maximum, length, number of items or of bytes that becomes"
        " tighter, or is set where none was, refuses requests of clients that worked, and updates of objects that are stored."
    )
    fix = "keep the bound, or refuse the values in a new version only, where conversion can mend them"
    mitigations = (Ratcheting(), RatchetingBefore())

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims bounds that are not proven to accept all that was accepted."""
        found = constraint_change(change, *BOUNDS)
        if found is None:
            return None
        both = compared(found, context)
        return verdict_of(change_in_words(found), both) if both.tightens else None
