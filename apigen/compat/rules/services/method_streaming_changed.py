"""A method streams, or no longer."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class MethodStreamingChanged(ChangeRule):
    """Client and server wait for each other, or stop too early."""

    id = "method-streaming-changed"
    title = "streaming of a method"
    severities = Severities.of("W/E/E")
    explanation = (
        "A side that expects one message reads the first of a stream and reports an error at the next; a side"
        " that expects a stream gets one message, which some implementations refuse. gRPC promises nothing across"
        " this change."
    )
    fix = "add a method that streams beside the one that does not"
    no_witness = "a method is no object"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims both directions of streaming."""
        if not isinstance(change, Altered):
            return None
        whose = "requests" if change.trait is Trait.CLIENT_STREAMS else "responses"
        message = f"method {change.element} {'streams' if change.after else 'no longer streams'} its {whose}"
        hit = breaks(f"the two sides disagree on how many {whose} there are")
        return Verdict(message, {Direction.OLD_CLIENT: hit, Direction.NEW_CLIENT: hit})
