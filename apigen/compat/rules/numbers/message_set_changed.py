"""A message became a message set, or is none any more."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in, option_of, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class MessageSetChanged(ChangeRule):
    """The two have nothing in common on the wire."""

    id = "message-set-changed"
    title = "the wire format of message sets"
    severities = Severities.of("E/E/E")
    explanation = (
        "message_set_wire_format writes extensions as items of a group, in the old way of Google. Readers of the"
        " one format find unknown fields in the other."
    )
    fix = "set the option to what it was; do not use it in a new message"
    no_witness = "message sets have no JSON"
    presets = WIRE
    is_excusable = False

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims the option; false is what it is anyway."""
        option = option_of(change, "message_set_wire_format")
        if option is None:
            return None
        _, before, after = option
        if (before == "true") == (after == "true"):
            return silent(f"{change.element} says of message sets what held anyway")
        words = "is a message set now" if after == "true" else "is no message set any more"
        return Verdict(f"{change.element} {words}", hits_in(EVERYWHERE, "is written in a form that the reader skips"))
