"""A field asks more of those beside it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.dependents import WORDS, broken_by, dependents, in_words
from apigen.compat.rules.constraints.effects import loosened_hits, tightened_hits
from apigen.compat.rules.constraints.words import change_in_words
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "dependents-tightened",
    altered(Trait.CONSTRAINT),
    severities="W/E/E",
    mitigated_by=(Ratcheting(), RatchetingBefore()),
)
def dependents_tightened(change: AnyChange, context: Context) -> Verdict | None:
    """`requires` or `forbids` name fields that they did not."""
    found = constraint_change(change, *WORDS)
    named = None if found is None else dependents(found, context)
    if found is None or named is None or not named.came:
        return None
    hits = dict(tightened_hits(in_words(found, named.came)))
    if named.went:
        hits = {**loosened_hits(in_words(found, named.went)), **hits}
    examples = (*broken_by(found, named.came, Side.OLD, context), *broken_by(found, named.went, Side.NEW, context))
    return Verdict(change_in_words(found), hits, examples=examples, beside=(*named.came, *named.went))
