"""A value that was excluded by name is accepted."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import altered, removed
from apigen.compat.rules.constraints.compared import compared, constraint_change
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.constraints.excluded import was_excluded
from apigen.compat.rules.constraints.words import VALUES, change_in_words
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "value-accepted",
    altered(Trait.CONSTRAINT),
    removed(ElementKind.FIELD),
    severities="I/W/W",
    mitigated_by=(RatchetingBefore(),),
)
def value_accepted(change: AnyChange, context: Context) -> Verdict | None:
    """`not`, `const` or `forbidden` refuse less."""
    found = constraint_change(change, *VALUES)
    if found is None:
        return was_excluded(change, context)
    both = compared(found, context)
    return verdict_of(change_in_words(found), both) if both.loosens else None
