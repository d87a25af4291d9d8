"""A type was replaced by one that takes all its values, and more."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inner import Inner, hits_of, words_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.types.pair import inner_of, pair_of
from apigen.compat.verdict.impact import Direction, Hits, Impact
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class TypeExtended(ChangeRule):
    """What was written before is read as before; what is new is lost on those who know the old type."""

    id = "type-extended"
    title = "a type of another name that can hold more"
    severities = Severities.of("I/W/W")
    explanation = (
        "The new type has all that the old one had, with the same names, numbers and constraints, and more besides. Objects"
        " of before are read as ever. What only the new type has is dropped or refused by servers of before, and lost when"
        " the release is rolled back."
    )
    fix = "gate what is new, or add it to the old type, which keeps the name in generated code"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims types of one form that differ in ways that only those who know the old one notice."""
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
