"""A service is new."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class ServiceAdded(ChangeRule):
    """Servers of before do not have it."""

    id = "service-added"
    title = "a new service"
    severities = Severities.of("I/I/I")
    explanation = "Clients that call it meet servers that do not have it until all are of the new release."
    fix = "nothing, but let new clients expect that it is not there yet"
    no_witness = "a method is no object"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims every one."""
        return Verdict(
            f"service {change.element} is new",
            {Direction.NEW_CLIENT: depends("a new client that calls it is refused by a server of before")},
        )
