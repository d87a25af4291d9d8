"""An integer got a wider range."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.types.pair import INTEGERS, pair_of
from apigen.compat.rules.types.scalars import is_within, scalar_verdict
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.preset import WIRE, Preset
from apigen.compat.verdict.verdict import Verdict


@change_rule("integer-widened", altered(Trait.TYPE), severities="W/W/E", presets=WIRE)
def integer_widened(change: AnyChange, context: Context) -> Verdict | None:
    """All integers of before are integers still; those beyond the old range are nothing to who knows the old one."""
    pair = pair_of(change, context)
    scalars = None if pair is None else pair.scalars
    if pair is None or scalars is None or not all(each in INTEGERS for each in scalars):
        return None
    if not is_within(*scalars) or is_within(*reversed(scalars)):
        return None
    text = "a client of before meets numbers beyond its range, and in the JSON of protobuf 64 bits are a text"
    besides = {} if context.preset is Preset.BYTES else {Direction.OLD_CLIENT: depends(text)}
    return scalar_verdict(change, pair, scalars, context, besides)
