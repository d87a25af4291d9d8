"""A constraint on what controllers write was tightened."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.compared import Compared, compared, constraint_change
from apigen.compat.rules.constraints.effects import examples_of, hits_of
from apigen.compat.rules.constraints.shown import value_shown
from apigen.compat.rules.constraints.status_only import is_status_only
from apigen.compat.rules.constraints.words import JUDGED_BY_VALUES, change_in_words
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.impact import Direction, Hits, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("status-constraint-tightened", altered(Trait.CONSTRAINT), severities="I/I/W", mitigated_by=(Ratcheting(),))
def status_constraint_tightened(change: AnyChange, context: Context) -> Verdict | None:
    """Only the controllers of the API write status, and they are released with it."""
    found = constraint_change(change, *JUDGED_BY_VALUES)
    if found is None or not is_status_only(found.element, context):
        return None
    both = compared(found, context)
    if not both.tightens:
        return None
    message = f"{change_in_words(found)}, in status, which controllers write"
    message += f"; not proven: {both.doubts}" if both.doubts else ""
    return Verdict(message, _hits(both), examples=examples_of(both), is_unproven=bool(both.doubts))


def _hits(both: Compared) -> Hits:
    value = value_shown(both.forward, "what was accepted")
    return {
        **hits_of(both),
        Direction.OLD_CLIENT: depends(f"a controller of before that writes {value} to status is refused"),
        Direction.STORED: depends(f"an object with {value} in its status gets no other status until that is mended"),
    }
