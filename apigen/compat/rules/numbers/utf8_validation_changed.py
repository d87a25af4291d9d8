"""Text is checked to be UTF-8, or no longer."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import hits_in, option_of, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, Impact
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class Utf8ValidationChanged(ChangeRule):
    """Text that is no UTF-8 is refused by the side that checks."""

    id = "utf8-validation-changed"
    title = "text that may be no UTF-8"
    severities = Severities.of("I/W/W")
    explanation = (
        "Parsers of proto3 refuse messages whose text is no UTF-8, those of proto2 do not. Only writers that put"
        " other bytes into text notice."
    )
    fix = "set features.utf8_validation to what it was, or make the field bytes if it holds bytes"
    no_witness = "objects in JSON have no text that is not UTF-8"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims the feature."""
        option = option_of(change, "utf8_validation")
        if option is None:
            return None
        _, before, after = option
        if before is None or after is None:
            return silent(f"{change.element} is a text on one side only")
        checks = after == "VERIFY"
        whom = (Direction.OLD_CLIENT, Direction.STORED) if checks else (Direction.NEW_CLIENT, Direction.ROLLBACK)
        message = f"{change.element} is {'now' if checks else 'no longer'} checked to be UTF-8"
        return Verdict(message, hits_in(whom, "is refused where its text is no UTF-8", Impact.DEPENDS))
