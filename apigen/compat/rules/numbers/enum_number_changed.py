"""A value of an enum got another number."""

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
    "enum-number-changed",
    altered(Trait.NUMBER, ElementKind.ENUM_VALUE),
    severities="E/E/E",
    presets=WIRE,
    is_excusable=False,
)
def enum_number_changed(change: AnyChange, context: Context) -> Verdict | None:
    """In bytes a value is its number."""
    if not isinstance(change, Altered):
        return None
    if change.before is None or change.after is None:
        return silent(f"{change.element} has a number on one side only")
    message = f"{change.element} has the number {change.after} instead of {change.before}"
    return Verdict(message, hits_in(EVERYWHERE, "has the value as a number that is another value to the reader"))
