"""A value that clients only read, or only wrote, is one like others."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.inclusion.restrictions import restrictions
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.words import change_in_words
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.constraints import Keyword
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("access-freed", altered(Trait.CONSTRAINT), severities="I/W/W")
def access_freed(change: AnyChange, context: Context) -> Verdict | None:
    """`readOnly` or `writeOnly` went."""
    found = constraint_change(change, Keyword.READ_ONLY, Keyword.WRITE_ONLY)
    if found is None or restrictions(found.after):
        return None
    return Verdict(
        change_in_words(found),
        {
            Direction.OLD_CLIENT: depends("a client of before that sends back what it read sets the value"),
            Direction.NEW_CLIENT: breaks(
                "a new client finds the value dropped, refused or missing at a server of before"
            ),
            Direction.ROLLBACK: depends("the release before does not expect the value to be set by clients"),
        },
    )
