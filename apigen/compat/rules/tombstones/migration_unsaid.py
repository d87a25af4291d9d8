"""Nothing, or something else, says when the objects of a version were migrated."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import note
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("migration-unsaid", altered(Trait.MIGRATED, ElementKind.TOMBSTONE), severities="W/W/W", is_excusable=False)
def migration_unsaid(change: AnyChange, context: Context) -> Verdict | None:
    """Whether the version may be gone hangs on it."""
    if not isinstance(change, Altered):
        return None
    before, after = value_words(change.before), value_words(change.after)
    now = "nothing says so now" if change.after is None else f"{after} is said now"
    name = change.element.path
    if change.before is None:
        return note(f"all objects of {name} are migrated since {after}", "nothing")
    hit = depends(f"on whether objects are left that were stored in {name}")
    return Verdict(
        f"objects of {name} were migrated in {before}, and {now}",
        {Direction.STORED: hit},
    )
