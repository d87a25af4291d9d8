"""A value may change in more ways."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.inclusion.restrictions import restrictions
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.words import UPDATES, change_in_words
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("update-freed", altered(Trait.CONSTRAINT), severities="I/I/W")
def update_freed(change: AnyChange, context: Context) -> Verdict | None:
    """`immutable`, `monotonic` or `update` refuse fewer updates."""
    found = constraint_change(change, *UPDATES)
    if found is None or not restrictions(found.before) - restrictions(found.after):
        return None
    return Verdict(
        change_in_words(found),
        {
            Direction.OLD_CLIENT: depends("a client of before that read the value once does not see that it changed"),
            Direction.NEW_CLIENT: breaks("a new client that changes the value at a server of before is refused"),
            Direction.ROLLBACK: depends("the release before may have relied on a value that changed meanwhile"),
        },
    )
