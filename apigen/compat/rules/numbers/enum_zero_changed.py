"""Another value of an enum stands for absence."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in, option_of, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class EnumZeroChanged(ChangeRule):
    """A field that is absent reads as another value."""

    id = "enum-zero-changed"
    title = "another value for absence"
    severities = Severities.of("E/E/E")
    explanation = (
        "A field that was never set reads as the first value of its enum, which has the number 0 in proto3. With"
        " another first value all messages without the field say something else, and nothing of that is in their"
        " bytes."
    )
    fix = "put the value that was first back to the front"
    presets = WIRE
    is_excusable = False

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims the number of the first value."""
        option = option_of(change, "value of absence")
        if option is None:
            return None
        _, before, after = option
        if before is None or after is None:
            return silent(f"{change.element} has values on one side only")
        message = f"absence of a {change.element} reads as the value with the number {after} instead of {before}"
        return Verdict(message, hits_in(EVERYWHERE, "without the field reads as another value"))
