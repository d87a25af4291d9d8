"""A text became bytes, or bytes a text."""

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


@change_rule("bytes-and-text-swapped", altered(Trait.TYPE), severities="W/E/E", presets=WIRE)
def bytes_and_text_swapped(change: AnyChange, context: Context) -> Verdict | None:
    """Bytes are base64 in JSON, so the same text means something else, or nothing."""
    pair = pair_of(change, context)
    scalars = None if pair is None else pair.scalars
    if pair is None or scalars is None or set(scalars) != {Scalars.STRING, Scalars.BYTES}:
        return None
    return scalar_verdict(change, pair, scalars, context)
