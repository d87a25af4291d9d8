"""A list that was merged is replaced as a whole."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.merging.duplicates import duplicates, enforces
from apigen.compat.rules.merging.whole import WHOLE
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.types import Slot
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("list-type-atomic", altered(Trait.LIST_TYPE), severities="W/E/E")
def list_type_atomic(change: AnyChange, context: Context) -> Verdict | None:
    """Who applies a part of the list now throws out what others put in."""
    if not isinstance(change, Altered) or not isinstance(change.old, Slot) or change.after not in WHOLE:
        return None
    if change.before in WHOLE:
        return Verdict(f"{change.element} is replaced as a whole, as it was", {}, severities=Severities.of("-/-/-"))
    hits = {
        Direction.OLD_CLIENT: breaks("who applies a part of the list removes what others put into it"),
        Direction.NEW_CLIENT: depends("a server of before merges the list, where a new client expects to replace it"),
        Direction.ROLLBACK: depends("ownership of single elements is gone when the release before is back"),
    }
    if enforces(change.old):
        hits[Direction.NEW_CLIENT] = breaks("a server of before refuses two elements that are the same")
        hits[Direction.ROLLBACK] = breaks("the release before refuses two elements that are the same")
    examples = duplicates(change.old, Side.NEW, context.old) if enforces(change.old) else ()
    return Verdict(f"{change.element} is replaced as a whole, and was a {change.before}", hits, examples=examples)
