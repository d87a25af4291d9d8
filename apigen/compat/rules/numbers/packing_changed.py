"""A list of scalars is packed, or no longer."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import NOTHING, option_of, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class PackingChanged(ChangeRule):
    """Parsers take both forms."""

    id = "packing-changed"
    title = "a list that is written in another form"
    severities = Severities.of("I/I/W")
    explanation = (
        "Numbers of a list are written one by one, or packed into one field. Every parser takes both, so nothing"
        " breaks. Bytes change, which matters to who compares or signs them."
    )
    fix = "set [packed = …] or features.repeated_field_encoding to what it was, if anybody compares bytes"
    no_witness = "every parser reads both forms"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims the feature, and the option that was there before features."""
        option = option_of(change, "packed")
        if option is None:
            return None
        _, before, after = option
        if before is None or after is None:
            return silent(f"{change.element} is a list of scalars on one side only")
        words = "is packed now" if after == "true" else "is no longer packed"
        return Verdict(f"{change.element} {words}, which every parser reads", NOTHING)
