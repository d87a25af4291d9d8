"""A type was replaced by one of the same form that differs inside."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.inner import hits_of, severities_of, words_of
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.types.pair import inner_of, pair_of
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("type-replaced", altered(Trait.TYPE), altered(Trait.FORM), severities="W/E/E", presets=WIRE)
def type_replaced(change: AnyChange, context: Context) -> Verdict | None:
    """Both definitions are compared, and each difference is judged as if it had been made in place."""
    pair = pair_of(change, context)
    if pair is None or not pair.is_same_form or "nothing known" in pair.shapes:
        return None
    inner = inner_of(change, pair, context)
    told = [each for each in inner if each.hits]
    words = f"{change.element} is {pair.after} instead of {pair.before}, which differs: {words_of(inner)}"
    return Verdict(
        words,
        hits_of(inner),
        severities=severities_of(told, Severities.of("I/I/I")),
        is_unproven=any(each.verdict.is_unproven for each in inner),
    )
