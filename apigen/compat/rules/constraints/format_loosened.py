"""A text lost its format, or has one that is proven to be wider."""

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


@change_rule("format-loosened", altered(Trait.CONSTRAINT), severities="I/W/E", mitigated_by=(RatchetingBefore(),))
def format_loosened(change: AnyChange, context: Context) -> Verdict | None:
    """Text without the format is accepted."""
    found = constraint_change(change, Keyword.FORMAT)
    if found is None:
        return None
    both = compared(found, context)
    return verdict_of(change_in_words(found), both) if both.loosens else None
