"""A field that could be left out is required."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.read_time_default import ReadTimeDefault
from apigen.compat.rules.presence.pair import members_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class BecameRequired(ChangeRule):
    """Who left the field out, and might, is refused."""

    id = "became-required"
    title = "a field that is required, and was not"
    severities = Severities.of("W/E/E")
    explanation = (
        "Requests that were good before are refused, and so are stored objects where validation does not leave alone what it"
        " accepted before. Kubernetes' API changes forbid to tighten validation. A number, text or struct that is always"
        " written cannot be told from one that was left out: there, only the published schema is stricter."
    )
    fix = "give the field a default, or check it in a new version"
    presets = WIRE
    mitigations = (ReadTimeDefault(), Ratcheting())

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims fields that become required."""
        pair = members_of(change, context)
        if pair is None or not pair.new.required:
            return None
        milder = Severities.of("I/W/W" if pair.passed.refusals else "I/I/I")
        return Verdict(
            f"{change.element} is required, and was not",
            pair.passed.refusals,
            severities=None if pair.refuses else milder,
            examples=pair.passed.examples,
            is_unproven=pair.is_unproven,
        )
