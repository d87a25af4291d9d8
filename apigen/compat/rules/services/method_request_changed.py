"""The request of a method is another type."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import NOTHING
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.services.layouts import is_same_layout
from apigen.compat.rules.services.misread import misread
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class MethodRequestChanged(ChangeRule):
    """What one side writes is read by the other as another message."""

    id = "method-request-changed"
    title = "another request"
    severities = Severities.of("W/E/E")
    explanation = (
        "Both sides have to agree on the message that a call sends: the other one is parsed as what it is not."
        " Where both types hold the same fields bytes are read all the same, and what changes is generated code."
    )
    fix = "keep the request type and add fields to it, or add a method"
    no_witness = "a method is no object"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims every one."""
        if not isinstance(change, Altered):
            return None
        message = f"method {change.element} has the request {change.after} instead of {change.before}"
        if is_same_layout(str(change.before), str(change.after), context):
            return Verdict(f"{message}, which has the same fields", NOTHING, severities=Severities.of("I/W/W"))
        return Verdict(message, misread("request"))
