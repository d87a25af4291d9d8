"""What holds under a condition, or for a part, became tighter."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.effects import loosened_hits, tightened_hits
from apigen.compat.rules.constraints.nested import Nested, nested_change
from apigen.compat.rules.constraints.words import CONDITIONAL
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "conditional-constraint-tightened",
    altered(Trait.CONSTRAINT),
    severities="W/E/E",
    mitigated_by=(Ratcheting(), RatchetingBefore()),
)
def conditional_constraint_tightened(change: AnyChange, context: Context) -> Verdict | None:
    """`ifEnabled`, `ifDisabled`, `ifMode` or `subfields` say more."""
    found = constraint_change(change, *CONDITIONAL)
    nested = None if found is None else nested_change(found, context)
    if found is None or nested is None or not nested.tighter:
        return None
    hits = dict(tightened_hits(f"a value against {_listing(nested.tighter)}"))
    if nested.looser:
        hits = {**loosened_hits(f"a value that {_listing(nested.looser)} refused"), **hits}
    return Verdict(in_words(found, nested), hits, is_unproven=bool(nested.doubts))


def in_words(change: Altered, nested: Nested) -> str:
    """What a block says in another way."""
    words = f"{change.keyword} of {change.element} says something else of {_listing((*nested.tighter, *nested.looser))}"
    return f"{words}; not proven: {', and '.join(nested.doubts)}" if nested.doubts else words


def _listing(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in dict.fromkeys(names))
