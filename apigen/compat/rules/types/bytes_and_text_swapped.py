"""A text became bytes, or bytes a text."""

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


class BytesAndTextSwapped(ChangeRule):
    """Bytes are base64 in JSON, so the same text means something else, or nothing."""

    id = "bytes-and-text-swapped"
    title = "text and bytes swapped"
    severities = Severities.of("W/E/E")
    explanation = (
        "Protobuf reads text and bytes as each other, but for bytes that are no UTF-8, which are no text. JSON has bytes"
        " in base64: text that is no base64 is refused, and text that happens to be is taken for something else."
    )
    fix = "add a field of the other type and keep this one"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims string and bytes for each other."""
        pair = pair_of(change, context)
        scalars = None if pair is None else pair.scalars
        if pair is None or scalars is None or set(scalars) != {Scalars.STRING, Scalars.BYTES}:
            return None
        return scalar_verdict(change, pair, scalars, context)
