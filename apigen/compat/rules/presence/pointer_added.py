"""A field can now be nothing, which is not zero."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.presence.pair import members_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class PointerAdded(ChangeRule):
    """Zero was what a field left out meant; from now on the two differ."""

    id = "pointer-added"
    title = "a field that tells nothing from zero, and did not before"
    severities = Severities.of("I/W/W")
    explanation = (
        "Before, a field left out was zero, and zero was the only word for it. Now it can be nothing. Who knows the old field"
        " reads nothing as zero and writes that back; defaults that filled zero leave it alone now; and constraints that"
        " overlooked an empty text judge it. (Kubernetes API conventions, Optional and Required)"
    )
    fix = "give the new field a default that is the old zero, or let nothing and zero mean the same to the server"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims presences that cannot be nothing before and can after."""
        pair = members_of(change, context)
        if pair is None or pair.was_pointer or not pair.is_pointer:
            return None
        return Verdict(
            f"{change.element} can be nothing, and was zero when left out",
            pair.passed.hits,
            severities=Severities.of("W/E/E") if pair.breaks else None,
            examples=pair.passed.examples,
            is_unproven=pair.is_unproven,
        )
