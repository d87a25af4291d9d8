"""What holds under a condition, or for a part, became looser."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.conditional_constraint_tightened import in_words
from apigen.compat.rules.constraints.effects import loosened_hits
from apigen.compat.rules.constraints.nested import nested_change
from apigen.compat.rules.constraints.words import CONDITIONAL, change_in_words
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "conditional-constraint-loosened", altered(Trait.CONSTRAINT), severities="I/W/W", mitigated_by=(RatchetingBefore(),)
)
def conditional_constraint_loosened(change: AnyChange, context: Context) -> Verdict | None:
    """`ifEnabled`, `ifDisabled`, `ifMode` or `subfields` say less."""
    found = constraint_change(change, *CONDITIONAL)
    if found is None:
        return None
    nested = nested_change(found, context)
    if not nested.looser:
        return Verdict(f"{change_in_words(found)}, which says the same", {}, severities=_HARMLESS)
    names = ", ".join(f"`{name}`" for name in nested.looser)
    hits = loosened_hits(f"a value that {names} refused")
    return Verdict(in_words(found, nested), hits, is_unproven=bool(nested.doubts))


_HARMLESS = Severities.of("I/I/I")
