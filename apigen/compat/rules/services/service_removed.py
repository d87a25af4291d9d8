"""A service is gone."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class ServiceRemoved(ChangeRule):
    """Calls of its methods are refused."""

    id = "service-removed"
    title = "a service that is gone"
    severities = Severities.of("W/E/E")
    explanation = "Clients of before call methods that the new server does not have, and get UNIMPLEMENTED."
    fix = "keep the service until nobody calls it"
    no_witness = "a method is no object"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims every one."""
        return Verdict(
            f"service {change.element} is gone",
            {Direction.OLD_CLIENT: breaks("a client of before that calls it is refused")},
        )
