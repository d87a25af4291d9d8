"""A scalar is written in other bytes."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.types import Scalar, Scalars
from apigen.compat.values.wire import is_on_wire
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_SAME_NUMBERS = (
    {Scalars.INT32, Scalars.SINT32, Scalars.SFIXED32},
    {Scalars.INT64, Scalars.SINT64, Scalars.SFIXED64},
    {Scalars.UINT32, Scalars.FIXED32},
    {Scalars.UINT64, Scalars.FIXED64},
)


class WireEncodingChanged(ChangeRule):
    """JSON stays as it is; what protobuf writes does not."""

    id = "wire-encoding-changed"
    title = "the same numbers in another encoding"
    severities = Severities.of("W/E/E")
    explanation = (
        "int32, sint32 and sfixed32 hold the same numbers and have the same JSON, and so have their kin of 64"
        " bits and without a sign. In bytes they differ: a varint, a zigzag varint, or four or eight bytes. Read"
        " as each other, numbers change silently or are skipped as unknown fields."
    )
    fix = "keep the type; add a field of the other type beside it if its size matters"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims integers of the same range; others are changes of the type."""
        if not isinstance(change, Altered):
            return None
        before, after = change.before, change.after
        if not isinstance(before, Scalar) or not isinstance(after, Scalar) or not is_on_wire(change.element, context):
            return None
        if not any({before.name, after.name} <= kin for kin in _SAME_NUMBERS):
            return None
        message = f"{change.element} is {after} instead of {before}, which writes the same numbers in other bytes"
        examples = (Example(Side.OLD, 5), Example(Side.NEW, 5))
        return Verdict(message, hits_in(EVERYWHERE, "is another number to the reader, or none"), examples=examples)
