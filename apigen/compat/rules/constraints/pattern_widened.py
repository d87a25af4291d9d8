"""A pattern became one that matches more."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.compared import compared, constraint_change
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.constraints.words import change_in_words
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.constraints import Keyword
from apigen.compat.verdict.verdict import Verdict


@change_rule("pattern-widened", altered(Trait.CONSTRAINT), severities="I/W/W", mitigated_by=(RatchetingBefore(),))
def pattern_widened(change: AnyChange, context: Context) -> Verdict | None:
    """Proven by automata: whatever was accepted still is."""
    found = constraint_change(change, Keyword.PATTERN)
    if found is None or found.before is None or found.after is None:
        return None
    both = compared(found, context)
    if both.tightens or not both.loosens:
        return None
    return verdict_of(f"{change_in_words(found)}, and accepts all that was accepted", both)
