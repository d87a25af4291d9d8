"""A pattern became one that matches more."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.constraints.compared import compared, constraint_change
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.constraints.words import change_in_words
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.constraints import Keyword
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class PatternWidened(ChangeRule):
    """Proven by automata: whatever was accepted still is."""

    id = "pattern-widened"
    title = "a pattern that matches more"
    severities = Severities.of("I/W/W")
    explanation = (
        "All text that was accepted matches the new pattern, which is proven. Text that matches only that is refused by servers"
        " of the release before, beside the new ones during an upgrade and after a rollback."
    )
    fix = "accept the new text in updates of objects that have it for a release, then everywhere"
    mitigations = (RatchetingBefore(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims another pattern that is proven to accept what was accepted."""
        found = constraint_change(change, Keyword.PATTERN)
        if found is None or found.before is None or found.after is None:
            return None
        both = compared(found, context)
        if both.tightens or not both.loosens:
            return None
        return verdict_of(f"{change_in_words(found)}, and accepts all that was accepted", both)
