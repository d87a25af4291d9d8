"""An integer lost a part of its range."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.types.pair import INTEGERS, pair_of
from apigen.compat.rules.types.scalars import is_within, scalar_verdict
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule("integer-narrowed", altered(Trait.TYPE), severities="W/E/E", presets=WIRE)
def integer_narrowed(change: AnyChange, context: Context) -> Verdict | None:
    """Numbers are checked when they are read, never cut: what no longer fits is an error."""
    pair = pair_of(change, context)
    scalars = None if pair is None else pair.scalars
    if pair is None or scalars is None or not all(each in INTEGERS for each in scalars):
        return None
    if is_within(*scalars):
        return None
    return scalar_verdict(change, pair, scalars, context)
