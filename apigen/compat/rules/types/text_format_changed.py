"""A text became a time, duration or quantity, or one of these became any text."""

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


class TextFormatChanged(ChangeRule):
    """The JSON type stays a string; what it may hold changes, and protobuf has messages for these types."""

    id = "text-format-changed"
    title = "a text whose form is prescribed, or no longer"
    severities = Severities.of("I/W/E")
    explanation = (
        "Text of any form is refused where a time, a duration or a quantity is read, and what is read as one of"
        " these is written back in its canonical form. In protobuf a text is no message, so nothing of it is read."
    )
    fix = "keep the text and prescribe its form with format or pattern, or add a field"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims string and the well-known types that are written as text, for each other."""
        pair = pair_of(change, context)
        scalars = None if pair is None else pair.scalars
        if (
            pair is None
            or scalars is None
            or not (Scalars.STRING in scalars and any(each in FORMS for each in scalars))
        ):
            return None
        return scalar_verdict(change, pair, scalars, context)
