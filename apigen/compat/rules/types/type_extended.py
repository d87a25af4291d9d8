"""A type was replaced by one that takes all its values, and more."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.inner import hits_of, words_of
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.types.pair import inner_of, pair_of
from apigen.compat.verdict.impact import Direction, Hits, Impact
from apigen.compat.verdict.nested import Inner
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule("type-extended", altered(Trait.TYPE), altered(Trait.FORM), severities="I/W/W", presets=WIRE)
def type_extended(change: AnyChange, context: Context) -> Verdict | None:
    """What was written before is read as before; what is new is lost on those who know the old type."""
    pair = pair_of(change, context)
    if pair is None or not pair.is_same_form or "nothing known" in pair.shapes:
        return None
    inner = inner_of(change, pair, context)
    hits = hits_of(inner)
    if not _is_superset(hits):
        return None
    words = f"{change.element} is {pair.after} instead of {pair.before}, which holds more: {words_of(inner)}"
    return Verdict(words, hits, is_unproven=_is_unproven(inner))


def _is_superset(hits: Hits) -> bool:
    old_client = hits.get(Direction.OLD_CLIENT)
    return Direction.STORED not in hits and (old_client is None or old_client.impact is Impact.DEPENDS)


def _is_unproven(inner: tuple[Inner, ...]) -> bool:
    return any(each.verdict.is_unproven for each in inner)
