"""A value may change in fewer ways."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.inclusion.restrictions import restrictions
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.words import UPDATES, change_in_words
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.verdict import Verdict


@change_rule("update-restricted", altered(Trait.CONSTRAINT), severities="W/E/E")
def update_restricted(change: AnyChange, context: Context) -> Verdict | None:
    """`immutable`, `monotonic` or `update` refuse updates that went through. Nothing ratchets there: an update is the point."""
    found = constraint_change(change, *UPDATES)
    if found is None or not restrictions(found.after) - restrictions(found.before):
        return None
    hits = {Direction.OLD_CLIENT: breaks("a client of before that changes the value of an existing object is refused")}
    if restrictions(found.before) - restrictions(found.after):
        hits[Direction.NEW_CLIENT] = breaks("a new client that changes the value at a server of before is refused")
    return Verdict(change_in_words(found), hits)
