"""A bound came, or became tighter."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.compared import compared, constraint_change
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.constraints.words import BOUNDS, change_in_words
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "bound-tightened", altered(Trait.CONSTRAINT), severities="W/E/E", mitigated_by=(Ratcheting(), RatchetingBefore())
)
def bound_tightened(change: AnyChange, context: Context) -> Verdict | None:
    """A value that was valid is refused."""
    found = constraint_change(change, *BOUNDS)
    if found is None:
        return None
    both = compared(found, context)
    return verdict_of(change_in_words(found), both) if both.tightens else None
