"""A field got another number."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class FieldNumberChanged(ChangeRule):
    """In bytes a field is its number and nothing else."""

    id = "field-number-changed"
    title = "a field with another number"
    severities = Severities.of("E/E/E")
    explanation = (
        "In protobuf a field is known by its number alone. Under another one, what was written before is an"
        " unknown field to the new side, or is read as another field, and the reverse. Names in JSON do not help"
        " stored bytes. (Protocol Buffers language guide: never change the number of a field.)"
    )
    fix = "give the field its old number back; where another one is needed, add a new field and reserve the old number"
    presets = WIRE
    is_excusable = False

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims every change of a number; one that came with protobuf itself hurts nobody."""
        if not isinstance(change, Altered):
            return None
        if change.before is None or change.after is None:
            return silent(f"{change.element} has a number on one side only")
        message = f"{change.element} has the number {change.after} instead of {change.before}"
        return Verdict(
            message, hits_in(EVERYWHERE, "has the field under a number that the reader takes for another field")
        )
