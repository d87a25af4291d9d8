"""A time, duration or quantity became another of these."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.types.pair import pair_of
from apigen.compat.rules.types.scalars import scalar_verdict
from apigen.compat.surface.types import Scalars
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict

FORMS = frozenset({Scalars.TIME, Scalars.MICRO_TIME, Scalars.DURATION, Scalars.QUANTITY})
"""The well-known types that are text of a certain form."""


@change_rule("canonical-form-changed", altered(Trait.TYPE), severities="W/E/E", presets=WIRE)
def canonical_form_changed(change: AnyChange, context: Context) -> Verdict | None:
    """All are text in JSON, each with a form of its own."""
    pair = pair_of(change, context)
    scalars = None if pair is None else pair.scalars
    if pair is None or scalars is None or not all(each in FORMS for each in scalars):
        return None
    return scalar_verdict(change, pair, scalars, context)
