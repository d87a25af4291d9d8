"""A scalar is written in other bytes."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.types import Scalar, Scalars
from apigen.compat.values.wire import is_on_wire
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict

_SAME_NUMBERS = (
    {Scalars.INT32, Scalars.SINT32, Scalars.SFIXED32},
    {Scalars.INT64, Scalars.SINT64, Scalars.SFIXED64},
    {Scalars.UINT32, Scalars.FIXED32},
    {Scalars.UINT64, Scalars.FIXED64},
)


@change_rule("wire-encoding-changed", altered(Trait.TYPE), severities="W/E/E", presets=WIRE)
def wire_encoding_changed(change: AnyChange, context: Context) -> Verdict | None:
    """JSON stays as it is; what protobuf writes does not."""
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
