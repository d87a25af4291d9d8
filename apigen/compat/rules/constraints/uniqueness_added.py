"""Elements of a list must differ."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.constraints.uniqueness import uniqueness_compared
from apigen.compat.rules.constraints.words import UNIQUENESS, change_in_words
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "uniqueness-added", altered(Trait.CONSTRAINT), severities="W/E/E", mitigated_by=(Ratcheting(), RatchetingBefore())
)
def uniqueness_added(change: AnyChange, context: Context) -> Verdict | None:
    """A list with an element twice is refused."""
    found = constraint_change(change, *UNIQUENESS)
    if found is None:
        return None
    both = uniqueness_compared(found, context)
    return verdict_of(change_in_words(found), both) if both.tightens else None
