"""A field got a default."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.read_time_default import ReadTimeDefault
from apigen.compat.rules.claims import altered
from apigen.compat.rules.defaults.pair import defaults_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.values.waking import of_added, woken_at
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "default-added", altered(Trait.DEFAULT), severities="W/W/E", mitigated_by=(ReadTimeDefault(),), presets=WIRE
)
def default_added(change: AnyChange, context: Context) -> Verdict | None:
    """What is left out meant nothing, and means something now."""
    pair = defaults_of(change, context)
    if pair is None or not (pair.before is None and pair.after is not None):
        return None
    hits = of_added(pair.hits, woken_at(context.new, context.old, change.element), ratchets=context.new.ratchets)
    return Verdict(
        f"{change.element} is {pair.after.text} by default, and had no default",
        hits,
        severities=None if hits else Severities.of("I/I/I"),
        examples=pair.examples,
        is_unproven=pair.is_unproven,
    )
