"""A constraint came, went or changed, and accepts what was accepted before."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.uniqueness import uniqueness_compared
from apigen.compat.rules.constraints.words import JUDGED_BY_VALUES, change_in_words
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.verdict import Verdict


@change_rule("constraint-without-effect", altered(Trait.CONSTRAINT), severities="I/I/I")
def constraint_without_effect(change: AnyChange, context: Context) -> Verdict | None:
    """Proven by inclusion both ways: the range of the type, another keyword or an equal pattern says the same."""
    found = constraint_change(change, *JUDGED_BY_VALUES)
    if found is None:
        return None
    both = uniqueness_compared(found, context)
    if both.tightens or both.loosens:
        return None
    return Verdict(f"{change_in_words(found)}, which accepts the same values", {})
