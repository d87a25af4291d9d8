"""A field can no longer be nothing: what is left out is zero."""

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


@change_rule("pointer-removed", altered(Trait.PRESENCE, ElementKind.FIELD), severities="W/E/E", presets=WIRE)
def pointer_removed(change: AnyChange, context: Context) -> Verdict | None:
    """Who left the field out meant something else than zero, and can no longer say so."""
    pair = members_of(change, context)
    if pair is None or not pair.was_pointer or pair.is_pointer:
        return None
    return Verdict(
        f"{change.element} is zero when left out, and was nothing",
        pair.passed.hits,
        severities=None if pair.passed.hits else Severities.of("I/I/I"),
        examples=pair.passed.examples,
        is_unproven=pair.is_unproven,
    )
