"""An integer lost a part of its range."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.types.pair import INTEGERS, pair_of
from apigen.compat.rules.types.scalars import is_within, scalar_verdict
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class IntegerNarrowed(ChangeRule):
    """Numbers are checked when they are read, never cut: what no longer fits is an error."""

    id = "integer-narrowed"
    title = "an integer of which values are gone"
    severities = Severities.of("W/E/E")
    explanation = (
        "Numbers that were good before are refused when clients send them, and when stored objects are read. Where"
        " signs differ, the ranges differ at both ends."
    )
    fix = "keep the type, and say with minimum and maximum which values are good from now on"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims integers whose new range does not hold the old one."""
        pair = pair_of(change, context)
        scalars = None if pair is None else pair.scalars
        if pair is None or scalars is None or not all(each in INTEGERS for each in scalars):
            return None
        if is_within(*scalars):
            return None
        return scalar_verdict(change, pair, scalars, context)
