"""A type became one that takes only some of its values."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.inner import hits_of
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.types.acceptance import accepts
from apigen.compat.rules.types.pair import TypePair, inner_of, pair_of
from apigen.compat.rules.types.scalars import message, of_another_wire_form, scalar_verdict
from apigen.compat.values.hits import joined
from apigen.compat.verdict.impact import Direction, Hits, breaks, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule("type-restricted", altered(Trait.TYPE), severities="W/E/E", presets=WIRE)
def type_restricted(change: AnyChange, context: Context) -> Verdict | None:
    """What is written from now on could be read before; what was written before need not be readable."""
    pair = pair_of(change, context)
    if pair is None or pair.is_same_form or not accepts(pair.old.type, pair.new.type):
        return None
    if accepts(pair.new.type, pair.old.type):
        return None
    if pair.scalars is not None:
        return scalar_verdict(change, pair, pair.scalars, context)
    hits = joined(
        (of_another_wire_form(change.element, context), _hits(pair), hits_of(inner_of(change, pair, context)))
    )
    return Verdict(message(change, pair), hits)


def _hits(pair: TypePair) -> Hits:
    other = f"a value that is no {pair.after}"
    return {
        Direction.OLD_CLIENT: breaks(f"a client of before that sends {other} is refused"),
        Direction.NEW_CLIENT: depends(f"a new client cannot read {other}, which clients of before have set"),
        Direction.STORED: breaks(f"{other} in a stored object cannot be read"),
    }
