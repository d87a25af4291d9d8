"""A type became one that takes all its values, and others."""

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


@change_rule("type-generalised", altered(Trait.TYPE), severities="W/W/E", presets=WIRE)
def type_generalised(change: AnyChange, context: Context) -> Verdict | None:
    """What was written before is read as ever, in JSON; what is new means nothing to who knows the old type."""
    pair = pair_of(change, context)
    if pair is None or pair.is_same_form or not accepts(pair.new.type, pair.old.type):
        return None
    if accepts(pair.old.type, pair.new.type):
        return None
    if pair.scalars is not None:
        return scalar_verdict(change, pair, pair.scalars, context)
    hits = joined(
        (of_another_wire_form(change.element, context), _hits(pair), hits_of(inner_of(change, pair, context)))
    )
    return Verdict(message(change, pair), hits)


def _hits(pair: TypePair) -> Hits:
    other = f"a value that is no {pair.before}"
    return {
        Direction.OLD_CLIENT: depends(f"a client of before cannot read {other}"),
        Direction.NEW_CLIENT: breaks(f"a new client that sends {other} to a server of before is refused"),
        Direction.ROLLBACK: breaks(f"the release before cannot read {other} in a stored object"),
    }
