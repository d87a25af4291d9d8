"""An integer became a number with fractions, the reverse, or a float changed its size."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.types.pair import INTEGERS, NUMBERS, pair_of
from apigen.compat.rules.types.scalars import scalar_verdict
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class NumberKindChanged(ChangeRule):
    """JSON has one kind of number, readers have several: a fraction is no integer, a large integer no exact double."""

    id = "number-kind-changed"
    title = "integers and numbers with fractions swapped"
    severities = Severities.of("W/E/E")
    explanation = (
        "Fractions are refused where an integer is read. An integer beyond 2^53 is not exact in a double. In"
        " protobuf the two have different forms on the wire, and neither is read as the other."
    )
    fix = "add a field of the other type and keep this one"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims integers, floats and plain numbers for each other."""
        pair = pair_of(change, context)
        scalars = None if pair is None else pair.scalars
        if pair is None or scalars is None or not all(each in INTEGERS | NUMBERS for each in scalars):
            return None
        return scalar_verdict(change, pair, scalars, context)
