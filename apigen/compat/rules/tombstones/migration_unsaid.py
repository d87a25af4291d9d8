"""Nothing, or something else, says when the objects of a version were migrated."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import note
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class MigrationUnsaid(ChangeRule):
    """Whether the version may be gone hangs on it."""

    id = "migration-unsaid"
    title = "the tombstone of a version does not say any more since when all objects are migrated"
    severities = Severities.of("W/W/W")
    explanation = (
        "A version in which objects were stored may go when all of them were written again; its tombstone says since when. Without"
        " that nobody knows whether some are left that nothing can read."
    )
    fix = "say `migrated:` again, with the release from which on no object is stored in the version"
    is_excusable = False
    no_witness = "the version is gone on both sides: no object can be written in it"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered):
            return None
        before, after = value_words(change.before), value_words(change.after)
        now = "nothing says so now" if change.after is None else f"{after} is said now"
        name = change.element.path
        if change.before is None:
            return note(f"all objects of {name} are migrated since {after}", "nothing")
        hit = depends(f"on whether objects are left that were stored in {name}")
        return Verdict(f"objects of {name} were migrated in {before}, and {now}", {Direction.STORED: hit}, self.fix)
