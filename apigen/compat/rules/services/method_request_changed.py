"""The request of a method is another type."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import NOTHING
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.services.layouts import is_same_layout
from apigen.compat.rules.services.misread import misread
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("method-request-changed", altered(Trait.REQUEST, ElementKind.METHOD), severities="W/E/E", presets=WIRE)
def method_request_changed(change: AnyChange, context: Context) -> Verdict | None:
    """What one side writes is read by the other as another message."""
    if not isinstance(change, Altered):
        return None
    message = f"method {change.element} has the request {change.after} instead of {change.before}"
    if is_same_layout(str(change.before), str(change.after), context):
        return Verdict(f"{message}, which has the same fields", NOTHING, severities=Severities.of("I/W/W"))
    return Verdict(message, misread("request"))
