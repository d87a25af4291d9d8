"""An integer became a number with fractions, the reverse, or a float changed its size."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.types.pair import INTEGERS, NUMBERS, pair_of
from apigen.compat.rules.types.scalars import scalar_verdict
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule("number-kind-changed", altered(Trait.TYPE), severities="W/E/E", presets=WIRE)
def number_kind_changed(change: AnyChange, context: Context) -> Verdict | None:
    """JSON has one kind of number, readers have several: a fraction is no integer, a large integer no exact double."""
    pair = pair_of(change, context)
    scalars = None if pair is None else pair.scalars
    if pair is None or scalars is None or not all(each in INTEGERS | NUMBERS for each in scalars):
        return None
    return scalar_verdict(change, pair, scalars, context)
