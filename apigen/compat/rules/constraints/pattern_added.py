"""A text got a pattern."""

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


class PatternAdded(ChangeRule):
    """Text that does not match is refused, and was accepted."""

    id = "pattern-added"
    title = "a pattern where there was none"
    severities = Severities.of("W/E/E")
    explanation = (
        "Text that was valid does not match and is refused: in requests of clients that worked, and in updates of stored objects."
        " A pattern that follows from what was said already (lengths, another pattern behind an alias, known values) is none of these."
    )
    fix = "leave the pattern out, or bring it in a new version"
    mitigations = (Ratcheting(), RatchetingBefore())

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims patterns where the old side has none."""
        found = constraint_change(change, Keyword.PATTERN)
        if found is None or found.before is not None:
            return None
        both = compared(found, context)
        return verdict_of(change_in_words(found), both) if both.tightens else None
