"""A default became the zero value, or stopped being it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.defaults.pair import defaults_of
from apigen.compat.rules.defaults.words import is_zero_swap
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("default-zero-changed", altered(Trait.DEFAULT), severities="W/E/E", presets=WIRE)
def default_zero_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Zero is what many readers take for nothing, so this is worse than another number."""
    pair = defaults_of(change, context)
    if pair is None or not (is_zero_swap(pair)):
        return None
    return Verdict(
        f"{change.element} is {pair.after.text if pair.after else None} by default, and was {pair.before.text if pair.before else None}",
        pair.hits,
        severities=None if pair.hits else Severities.of("I/I/I"),
        examples=pair.examples,
        is_unproven=pair.is_unproven,
    )
