"""A value became one that clients only read, or only write."""

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


@change_rule("access-restricted", altered(Trait.CONSTRAINT), severities="W/E/E")
def access_restricted(change: AnyChange, context: Context) -> Verdict | None:
    """`readOnly` or `writeOnly` came."""
    found = constraint_change(change, Keyword.READ_ONLY, Keyword.WRITE_ONLY)
    if found is None or not restrictions(found.after):
        return None
    if found.keyword is Keyword.READ_ONLY:
        text = "a client of before that sets the value finds it dropped or refused"
    else:
        text = "a client of before that reads the value no longer finds it"
    stored = depends("a stored value may be dropped when its object is written, or never be shown again")
    return Verdict(change_in_words(found), {Direction.OLD_CLIENT: breaks(text), Direction.STORED: stored})
