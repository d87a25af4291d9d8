"""A pattern became one that need not match what was accepted."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.compared import compared, constraint_change
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.constraints.words import change_in_words
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.constraints import Keyword
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "pattern-changed", altered(Trait.CONSTRAINT), severities="W/E/E", mitigated_by=(Ratcheting(), RatchetingBefore())
)
def pattern_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Narrower, another, or not comparable: what cannot be decided is taken for the worst."""
    found = constraint_change(change, Keyword.PATTERN)
    if found is None or found.before is None or found.after is None:
        return None
    both = compared(found, context)
    return verdict_of(change_in_words(found), both) if both.tightens else None
