"""A field can now be nothing, which is not zero."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.presence.pair import members_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("pointer-added", altered(Trait.PRESENCE, ElementKind.FIELD), severities="I/W/W", presets=WIRE)
def pointer_added(change: AnyChange, context: Context) -> Verdict | None:
    """Zero was what a field left out meant; from now on the two differ."""
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
