"""A field asks more of those beside it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.dependents import WORDS, broken_by, dependents, in_words
from apigen.compat.rules.constraints.effects import loosened_hits, tightened_hits
from apigen.compat.rules.constraints.words import change_in_words
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class DependentsTightened(ChangeRule):
    """`requires` or `forbids` name fields that they did not."""

    id = "dependents-tightened"
    title = "a field that asks more of the fields beside it"
    severities = Severities.of("W/E/E")
    explanation = (
        "Objects that set a field without the other one that it now requires, or together with one that it now forbids, were valid"
        " and are refused. A field that the old side does not have cannot be forbidden in its objects."
    )
    fix = "fill what is required by a default, or leave the combination valid"
    mitigations = (Ratcheting(), RatchetingBefore())

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims names that came, where objects of before can break them."""
        found = constraint_change(change, *WORDS)
        named = None if found is None else dependents(found, context)
        if found is None or named is None or not named.came:
            return None
        hits = dict(tightened_hits(in_words(found, named.came)))
        if named.went:
            hits = {**loosened_hits(in_words(found, named.went)), **hits}
        examples = (*broken_by(found, named.came, Side.OLD, context), *broken_by(found, named.went, Side.NEW, context))
        return Verdict(change_in_words(found), hits, examples=examples, beside=(*named.came, *named.went))
