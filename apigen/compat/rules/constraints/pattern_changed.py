"""A pattern became one that need not match what was accepted."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.constraints.compared import compared, constraint_change
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.constraints.words import change_in_words
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.constraints import Keyword
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class PatternChanged(ChangeRule):
    """Narrower, another, or not comparable: what cannot be decided is taken for the worst."""

    id = "pattern-changed"
    title = "a pattern that refuses what was accepted"
    severities = Severities.of("W/E/E")
    explanation = (
        "The patterns are compared as sets of texts. Text that the old one accepts and the new one refuses breaks clients and stored"
        " objects; where the sets cannot be compared (look-around, flags, too many states), the message says so and nothing is"
        " taken for safe."
    )
    fix = "keep the old pattern, or write one that surely matches all that it matched, such as `old|new`"
    mitigations = (Ratcheting(), RatchetingBefore())

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims another pattern that is not proven to accept what was accepted."""
        found = constraint_change(change, Keyword.PATTERN)
        if found is None or found.before is None or found.after is None:
            return None
        both = compared(found, context)
        return verdict_of(change_in_words(found), both) if both.tightens else None
