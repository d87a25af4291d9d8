"""A message is written as a group, or no longer."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in, option_of, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_WORDS = {"DELIMITED": "as a group", "LENGTH_PREFIXED": "with its length"}


class MessageEncodingChanged(ChangeRule):
    """A reader of one encoding skips the other as an unknown field."""

    id = "message-encoding-changed"
    title = "a message in another encoding"
    severities = Severities.of("W/E/E")
    explanation = (
        "A message within a message is written with its length, or as a group: between two markers (`group` of"
        " proto2, `message_encoding = DELIMITED` of editions). Parsers look for the one that they know, and keep"
        " the other as an unknown field."
    )
    fix = "set features.message_encoding at the field to what it was"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims the feature; where the type is a message on one side only, the change of type says it all."""
        option = option_of(change, "message_encoding")
        if option is None:
            return None
        _, before, after = option
        if before is None or after is None:
            return silent(f"{change.element} is a message on one side only")
        message = f"{change.element} is written {_WORDS[after]} instead of {_WORDS[before]}"
        return Verdict(message, hits_in(EVERYWHERE, "has the message in a form that the reader skips"))
