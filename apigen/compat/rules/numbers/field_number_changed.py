"""A field got another number."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in, silent
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "field-number-changed",
    altered(Trait.NUMBER, ElementKind.FIELD),
    severities="E/E/E",
    presets=WIRE,
    is_excusable=False,
)
def field_number_changed(change: AnyChange, context: Context) -> Verdict | None:
    """In bytes a field is its number and nothing else."""
    if not isinstance(change, Altered):
        return None
    if change.before is None or change.after is None:
        return silent(f"{change.element} has a number on one side only")
    message = f"{change.element} has the number {change.after} instead of {change.before}"
    return Verdict(message, hits_in(EVERYWHERE, "has the field under a number that the reader takes for another field"))
