"""No member of a union need be set."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.enums.union_change import union_change
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class UnionLoosened(ChangeRule):
    """From exactly one to at most one."""

    id = "union-loosened"
    title = "a union of which no member need be set now"
    severities = Severities.of("W/E/E")
    explanation = (
        "Clients that look for the one member find none, and servers of the release before refuse such an object."
    )
    fix = "leave the union as it was, and add a member that stands for nothing"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims unions that became optional."""
        found = union_change(change, context)
        if found is None or not isinstance(change, Altered) or change.after is not True:
            return None
        message = f"no member of the union of `{change.element.type}` need be set, and exactly one had to be"
        return Verdict(message, found.hits, examples=found.examples)
