"""A list that was merged is replaced as a whole."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.merging.duplicates import duplicates, enforces
from apigen.compat.rules.merging.whole import WHOLE
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.types import Slot
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class ListTypeAtomic(ChangeRule):
    """Who applies a part of the list now throws out what others put in."""

    id = "list-type-atomic"
    title = "a list that is replaced as a whole, and was merged"
    severities = Severities.of("W/E/E")
    explanation = (
        "Several appliers could each own elements of the list. From now on the last one replaces it whole, and the others lose"
        " theirs without an error. Elements may be there twice, which servers of before refuse."
    )
    fix = "keep the type of the list"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims lists that become atomic; silently those that were and now say so, or no longer do."""
        if not isinstance(change, Altered) or not isinstance(change.old, Slot) or change.after not in WHOLE:
            return None
        if change.before in WHOLE:
            return Verdict(f"{change.element} is replaced as a whole, as it was", {}, severities=Severities.of("-/-/-"))
        hits = {
            Direction.OLD_CLIENT: breaks("who applies a part of the list removes what others put into it"),
            Direction.NEW_CLIENT: depends(
                "a server of before merges the list, where a new client expects to replace it"
            ),
            Direction.ROLLBACK: depends("ownership of single elements is gone when the release before is back"),
        }
        if enforces(change.old):
            hits[Direction.NEW_CLIENT] = breaks("a server of before refuses two elements that are the same")
            hits[Direction.ROLLBACK] = breaks("the release before refuses two elements that are the same")
        examples = duplicates(change.old, Side.NEW, context.old) if enforces(change.old) else ()
        return Verdict(f"{change.element} is replaced as a whole, and was a {change.before}", hits, examples=examples)
