"""An enum no longer accepts values that nobody knows."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.rules.constraints.effects import tightened_hits
from apigen.compat.rules.enums.unknown_text import unknown_text
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.types import Enum
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class EnumClosed(ChangeRule):
    """`open: true` went."""

    id = "enum-closed"
    title = "an enum that refuses other values now"
    severities = Severities.of("W/E/E")
    explanation = "Any value was as good as the known ones, so clients send others, and stored objects have them. They are refused."
    fix = "leave the enum open"
    mitigations = (Ratcheting(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims enums that are no longer open."""
        if not isinstance(change, Altered) or change.after is True or not isinstance(change.new, Enum):
            return None
        other = unknown_text(change.old, change.new)
        message = f"`{change.element.type}` refuses values that nobody knows, and accepted them"
        return Verdict(message, tightened_hits(f'"{other}"'), examples=(Example(Side.OLD, other),))
