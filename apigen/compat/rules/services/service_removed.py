"""A service is gone."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.claims import removed
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule("service-removed", removed(ElementKind.SERVICE), severities="W/E/E", presets=WIRE)
def service_removed(change: AnyChange, context: Context) -> Verdict | None:
    """Calls of its methods are refused."""
    return Verdict(
        f"service {change.element} is gone",
        {Direction.OLD_CLIENT: breaks("a client of before that calls it is refused")},
    )
