"""A value that was accepted is excluded by name."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import added, altered
from apigen.compat.rules.constraints.compared import compared, constraint_change
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.constraints.excluded import came_excluded
from apigen.compat.rules.constraints.words import VALUES, change_in_words
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "value-refused",
    altered(Trait.CONSTRAINT),
    added(ElementKind.FIELD),
    severities="W/E/E",
    mitigated_by=(Ratcheting(), RatchetingBefore()),
)
def value_refused(change: AnyChange, context: Context) -> Verdict | None:
    """`not`, `const` or `forbidden` refuse what was accepted."""
    found = constraint_change(change, *VALUES)
    if found is None:
        return came_excluded(change, context)
    both = compared(found, context)
    return verdict_of(change_in_words(found), both) if both.tightens else None
