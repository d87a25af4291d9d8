"""A text lost its pattern."""

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


class PatternRemoved(ChangeRule):
    """Text that did not match is accepted."""

    id = "pattern-removed"
    title = "a pattern that is gone"
    severities = Severities.of("I/W/W")
    explanation = (
        "Text that did not match is accepted by the new server, and refused by servers of the release before, which run beside it"
        " during an upgrade and again after a rollback. Clients may take the text apart as the pattern promised."
    )
    fix = "keep the pattern, or widen it in two releases"
    mitigations = (RatchetingBefore(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims patterns that the new side has not."""
        found = constraint_change(change, Keyword.PATTERN)
        if found is None or found.after is not None:
            return None
        both = compared(found, context)
        return verdict_of(change_in_words(found), both) if both.loosens else None
