"""A text lost its pattern."""

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


@change_rule("pattern-removed", altered(Trait.CONSTRAINT), severities="I/W/W", mitigated_by=(RatchetingBefore(),))
def pattern_removed(change: AnyChange, context: Context) -> Verdict | None:
    """Text that did not match is accepted."""
    found = constraint_change(change, Keyword.PATTERN)
    if found is None or found.after is not None:
        return None
    both = compared(found, context)
    return verdict_of(change_in_words(found), both) if both.loosens else None
