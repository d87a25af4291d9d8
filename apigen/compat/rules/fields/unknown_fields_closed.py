"""A struct no longer keeps members that it does not know."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.fields.openness import steps_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class UnknownFieldsClosed(ChangeRule):
    """What objects hold besides their fields is lost, or the objects are refused."""

    id = "unknown-fields-closed"
    title = "members that are not known are dropped or refused, and were not"
    severities = Severities.of("W/E/E")
    explanation = (
        "Objects that were stored with members which the type does not name lose them when they are next written, or are"
        " refused. Nobody can say what these members are, since nothing described them."
    )
    fix = "keep unknown members, and describe the fields beside that"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims structs that take less than before."""
        step = steps_of(change)
        if step is None or step.opens:
            return None
        hits = {
            Direction.OLD_CLIENT: breaks(f"what a client of before sends besides the fields is {step.after}"),
            Direction.NEW_CLIENT: depends("a new client meets members that it does not know"),
            Direction.STORED: breaks(f"what stored objects hold besides the fields is {step.after}"),
        }
        words = f"members that {change.element} does not know are {step.after}, and were {step.before}"
        return Verdict(words, hits, examples=(Example(Side.OLD, {"notKnown": 1}),))
