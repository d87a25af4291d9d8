"""A struct keeps members that it does not know, and did not."""

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


class UnknownFieldsOpened(ChangeRule):
    """Objects can hold what nobody describes, and those who know the old type lose it."""

    id = "unknown-fields-opened"
    title = "members that are not known are kept, or no longer refused"
    severities = Severities.of("I/W/W")
    explanation = (
        "What only the new side keeps is dropped or refused by servers of before, and by the release before after a rollback."
        " It also hides misspelt fields, and a field that is added later under such a name finds values that nobody judged."
    )
    fix = "describe the members, or hold them in one field of raw JSON"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims structs that take more than before."""
        step = steps_of(change)
        if step is None or not step.opens:
            return None
        hits = {
            Direction.OLD_CLIENT: depends("a client of before meets members that it does not know"),
            Direction.NEW_CLIENT: breaks(f"on a server of before they are {step.before}"),
            Direction.ROLLBACK: breaks(f"in the release before they are {step.before}"),
        }
        words = f"members that {change.element} does not know are {step.after}, and were {step.before}"
        return Verdict(words, hits, examples=(Example(Side.NEW, {"notKnown": 1}),))
