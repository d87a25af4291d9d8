"""One member of a union must be set, and none could be."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.rules.enums.union_change import union_change
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class UnionTightened(ChangeRule):
    """From at most one to exactly one."""

    id = "union-tightened"
    title = "a union of which a member must be set now"
    severities = Severities.of("W/E/E")
    explanation = "An object without any member was valid, and is refused: in requests of clients, and in updates of stored objects that touch the union."
    fix = "leave the union optional, or fill a member by a default"
    mitigations = (Ratcheting(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims unions that are no longer optional."""
        found = union_change(change, context)
        if found is None or not isinstance(change, Altered) or change.after is True:
            return None
        message = f"exactly one member of the union of `{change.element.type}` must be set, and none could be"
        return Verdict(message, found.hits, examples=found.examples)
