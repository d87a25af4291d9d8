"""A value may change in fewer ways."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inclusion.restrictions import restrictions
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.words import UPDATES, change_in_words
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class UpdateRestricted(ChangeRule):
    """`immutable`, `monotonic` or `update` refuse updates that went through. Nothing ratchets there: an update is the point."""

    id = "update-restricted"
    title = "an update that is refused now"
    severities = Severities.of("W/E/E")
    explanation = (
        "A field that became immutable, or may no longer be set, cleared, changed or made smaller, breaks every client that does"
        " so. Objects as they are stay valid. Kubernetes' API changes count it as tighter validation."
    )
    fix = "leave the field mutable; a new version may restrict it from its beginning"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims whatever restricts updates in a way that it did not."""
        found = constraint_change(change, *UPDATES)
        if found is None or not restrictions(found.after) - restrictions(found.before):
            return None
        hits = {
            Direction.OLD_CLIENT: breaks("a client of before that changes the value of an existing object is refused")
        }
        if restrictions(found.before) - restrictions(found.after):
            hits[Direction.NEW_CLIENT] = breaks("a new client that changes the value at a server of before is refused")
        return Verdict(change_in_words(found), hits)
