"""A text lost its format, or has one that is proven to be wider."""

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


class FormatLoosened(ChangeRule):
    """Text without the format is accepted."""

    id = "format-loosened"
    title = "a format that is gone, or a wider one"
    severities = Severities.of("I/W/E")
    explanation = (
        "What the format promised no longer holds: clients that take the text apart may fail, and servers of the release before"
        " refuse what the new one accepts. Generated clients choose types by format."
    )
    fix = "keep the format, or accept other text in a field of its own"
    mitigations = (RatchetingBefore(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims formats that went, or that accept all that was accepted and more."""
        found = constraint_change(change, Keyword.FORMAT)
        if found is None:
            return None
        both = compared(found, context)
        return verdict_of(change_in_words(found), both) if both.loosens else None
