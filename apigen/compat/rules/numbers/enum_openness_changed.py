"""An enum of protobuf was opened or closed."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in, option_of, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Impact
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class EnumOpennessChanged(ChangeRule):
    """Numbers that the enum does not know are kept as values, or put aside."""

    id = "enum-openness-changed"
    title = "an enum that treats unknown numbers otherwise"
    severities = Severities.of("W/E/E")
    explanation = (
        "A reader of an open enum (proto3) keeps a number that it does not know as the value of the field. One of"
        " a closed enum (proto2) puts it with the unknown fields, and the field looks absent. Code that is"
        " generated for the two differs as well."
    )
    fix = "set option features.enum_type to what it was"
    no_witness = "it shows with numbers that no value has, which objects in JSON by name do not hold"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims the feature."""
        option = option_of(change, "enum_type")
        if option is None:
            return None
        _, before, after = option
        if before is None or after is None:
            return silent(f"{change.element} is an enum of protobuf on one side only")
        words = (
            "closed, so that unknown numbers look absent"
            if after == "CLOSED"
            else "open, so that unknown numbers are values"
        )
        message = f"{change.element} is {words}"
        return Verdict(message, hits_in(EVERYWHERE, "means something else where its number is unknown", Impact.DEPENDS))
