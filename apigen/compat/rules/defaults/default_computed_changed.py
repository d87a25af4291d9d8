"""A default became a rule that computes it, or stopped being one."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.defaults.pair import defaults_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("default-computed-changed", altered(Trait.DEFAULT), severities="I/W/W", presets=WIRE)
def default_computed_changed(change: AnyChange, context: Context) -> Verdict | None:
    """What a rule gives is not known from the spec alone."""
    pair = defaults_of(change, context)
    if pair is None or not (
        pair.before is not None and pair.after is not None and (pair.before.is_computed or pair.after.is_computed)
    ):
        return None
    return Verdict(
        f"the default of {change.element} is {pair.after.text}, and was {pair.before.text}; whether both give the same is not proven",
        pair.hits,
        severities=None if pair.hits else Severities.of("I/I/I"),
        examples=pair.examples,
        is_unproven=pair.is_unproven,
    )
