"""A bound went, or became looser."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.compared import compared, constraint_change
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.constraints.words import BOUNDS, change_in_words
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.verdict import Verdict


@change_rule("bound-loosened", altered(Trait.CONSTRAINT), severities="I/W/W", mitigated_by=(RatchetingBefore(),))
def bound_loosened(change: AnyChange, context: Context) -> Verdict | None:
    """A value that was refused is accepted, and meets who still refuses it."""
    found = constraint_change(change, *BOUNDS)
    if found is None:
        return None
    both = compared(found, context)
    return verdict_of(change_in_words(found), both) if both.loosens else None
