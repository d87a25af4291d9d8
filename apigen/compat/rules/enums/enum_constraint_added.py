"""A free text became an enum."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.enums.text_and_enum import text_and_enum
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class EnumConstraintAdded(ChangeRule):
    """Text that is none of the values is refused."""

    id = "enum-constraint-added"
    title = "a text that may only have some values now"
    severities = Severities.of("W/E/E")
    explanation = (
        "Any other text was valid, in requests of clients and in stored objects. Nothing changes where the old text could only be"
        " one of the values (by its pattern, or by what constrains it), or where the enum is open."
    )
    fix = "say `open: true` in the enum, so that the values are known ones and any other text is as good"
    mitigations = (Ratcheting(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims text that became an enum."""
        found = text_and_enum(change, context)
        if found is None or not found.is_enum_now:
            return None
        message = f"{change.element} is one of {found.names}, and was any text"
        if not found.compared.tightens:
            return Verdict(f"{message} that is one of these", {}, severities=Severities.of("I/I/I"))
        return verdict_of(message, found.compared)
