"""A value of an enum got another number."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class EnumNumberChanged(ChangeRule):
    """In bytes a value is its number."""

    id = "enum-number-changed"
    title = "a value with another number"
    severities = Severities.of("E/E/E")
    explanation = (
        "In protobuf a value of an enum is its number. Under another one the reader takes it for another value,"
        " or for one that it does not know."
    )
    fix = "give the value its old number back"
    presets = WIRE
    is_excusable = False

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims every change of a number; one that came with protobuf itself hurts nobody."""
        if not isinstance(change, Altered):
            return None
        if change.before is None or change.after is None:
            return silent(f"{change.element} has a number on one side only")
        message = f"{change.element} has the number {change.after} instead of {change.before}"
        return Verdict(message, hits_in(EVERYWHERE, "has the value as a number that is another value to the reader"))
