"""A text got a format, or another one."""

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


class FormatTightened(ChangeRule):
    """Text without the format is refused, where the format is one that validation knows."""

    id = "format-tightened"
    title = "a format that text did not have to have"
    severities = Severities.of("W/E/E")
    explanation = (
        "A format is a check by name. Text that was accepted need not pass it. Of a format that is known here only by its name,"
        " nothing can be proven, so it is taken to refuse something."
    )
    fix = "leave the format as it was, and say in the documentation what text is meant to look like"
    mitigations = (Ratcheting(), RatchetingBefore())

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims new and other formats that are not proven to accept what was accepted."""
        found = constraint_change(change, Keyword.FORMAT)
        if found is None:
            return None
        both = compared(found, context)
        return verdict_of(change_in_words(found), both) if both.tightens else None
