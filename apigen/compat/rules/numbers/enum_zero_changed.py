"""Another value of an enum stands for absence."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in, option_of, silent
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "enum-zero-changed", altered(Trait.OPTIONS, ElementKind.ENUM), severities="E/E/E", presets=WIRE, is_excusable=False
)
def enum_zero_changed(change: AnyChange, context: Context) -> Verdict | None:
    """A field that is absent reads as another value."""
    option = option_of(change, "value of absence")
    if option is None:
        return None
    _, before, after = option
    if before is None or after is None:
        return silent(f"{change.element} has values on one side only")
    message = f"absence of a {change.element} reads as the value with the number {after} instead of {before}"
    return Verdict(message, hits_in(EVERYWHERE, "without the field reads as another value"))
