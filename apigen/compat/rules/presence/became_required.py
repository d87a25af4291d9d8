"""A field that could be left out is required."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.read_time_default import ReadTimeDefault
from apigen.compat.rules.claims import altered
from apigen.compat.rules.presence.pair import members_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "became-required",
    altered(Trait.REQUIRED, ElementKind.FIELD),
    severities="W/E/E",
    mitigated_by=(ReadTimeDefault(), Ratcheting()),
    presets=WIRE,
)
def became_required(change: AnyChange, context: Context) -> Verdict | None:
    """Who left the field out, and might, is refused."""
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
