"""A time, duration or quantity became another of these."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.types.pair import pair_of
from apigen.compat.rules.types.scalars import scalar_verdict
from apigen.compat.surface.types import Scalars
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

FORMS = frozenset({Scalars.TIME, Scalars.MICRO_TIME, Scalars.DURATION, Scalars.QUANTITY})
"""The well-known types that are text of a certain form."""


class CanonicalFormChanged(ChangeRule):
    """All are text in JSON, each with a form of its own."""

    id = "canonical-form-changed"
    title = "a time, duration or quantity written in another form"
    severities = Severities.of("W/E/E")
    explanation = (
        "Times, times with microseconds, durations and quantities are text in JSON, each with its own form:"
        " Kubernetes' MicroTime refuses a time without its six digits, and Time drops them."
    )
    fix = "add a field of the other type and keep this one"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims the well-known types that are written as text, for each other."""
        pair = pair_of(change, context)
        scalars = None if pair is None else pair.scalars
        if pair is None or scalars is None or not all(each in FORMS for each in scalars):
            return None
        return scalar_verdict(change, pair, scalars, context)
