"""A field has another default."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.defaults.pair import defaults_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("default-changed", altered(Trait.DEFAULT), severities="W/E/E", presets=WIRE)
def default_changed(change: AnyChange, context: Context) -> Verdict | None:
    """What is left out means something else than it did."""
    pair = defaults_of(change, context)
    if pair is None or not (pair.before is not None and pair.after is not None):
        return None
    return Verdict(
        f"{change.element} is {pair.after.text} by default, and was {pair.before.text}",
        pair.hits,
        severities=None if pair.hits else Severities.of("I/I/I"),
        examples=pair.examples,
        is_unproven=pair.is_unproven,
    )
