"""A field lost its default."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.defaults.pair import defaults_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.values.waking import of_removed, woken_at
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("default-removed", altered(Trait.DEFAULT), severities="W/E/E", presets=WIRE)
def default_removed(change: AnyChange, context: Context) -> Verdict | None:
    """What is left out meant something, and means nothing now."""
    pair = defaults_of(change, context)
    if pair is None or not (pair.before is not None and pair.after is None):
        return None
    hits = of_removed(pair.hits, woken_at(context.old, context.new, change.element), ratchets=context.old.ratchets)
    return Verdict(
        f"{change.element} has no default, and was {pair.before.text} by default",
        hits,
        severities=None if hits else Severities.of("I/I/I"),
        examples=pair.examples,
        is_unproven=pair.is_unproven,
    )
