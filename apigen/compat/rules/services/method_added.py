"""A method is new."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.claims import added
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("method-added", added(ElementKind.METHOD), severities="I/I/I")
def method_added(change: AnyChange, context: Context) -> Verdict | None:
    """Servers of before do not have it."""
    return Verdict(
        f"method {change.element} is new",
        {Direction.NEW_CLIENT: depends("a new client that calls it is refused by a server of before")},
    )
