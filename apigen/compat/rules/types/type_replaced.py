"""A type was replaced by one of the same form that differs inside."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inner import hits_of, severities_of, words_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.types.pair import inner_of, pair_of
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class TypeReplaced(ChangeRule):
    """Both definitions are compared, and each difference is judged as if it had been made in place."""

    id = "type-replaced"
    title = "a type of another name that differs inside"
    severities = Severities.of("W/E/E")
    explanation = (
        "A struct took the place of another struct, an enum that of an enum, or a name with constraints that of a bare type."
        " Names of types are not in objects, so what counts are the differences behind them. They are told in the message,"
        " and this finding is as bad as the worst of them."
    )
    fix = "make the new type hold what the old one holds, or add a field of the new type and keep the old one"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims what has the same form before and after, whatever differs."""
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
