"""A method is gone."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class MethodRemoved(ChangeRule):
    """Calls of it are refused."""

    id = "method-removed"
    title = "a method that is gone"
    severities = Severities.of("W/E/E")
    explanation = (
        "Clients of before that call the method get UNIMPLEMENTED from the new server. A renamed method is one"
        " that is gone and one that is new."
    )
    fix = "keep the method until nobody calls it"
    no_witness = "a method is no object"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims every one."""
        return Verdict(
            f"method {change.element} is gone",
            {Direction.OLD_CLIENT: breaks("a client of before that calls it is refused")},
        )
