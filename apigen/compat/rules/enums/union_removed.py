"""Fields are no longer members of a union."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.enums.union_change import union_change
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class UnionRemoved(ChangeRule):
    """What was refused is accepted."""

    id = "union-removed"
    title = "a union that is gone"
    severities = Severities.of("I/W/W")
    explanation = (
        "Fields that excluded each other can be set together, or all be absent. Clients do not expect that, and servers of the"
        " release before refuse it. Where another union took its place, the change is told there."
    )
    fix = "keep the union"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims unions that are gone."""
        found = union_change(change, context)
        if found is None or not isinstance(change, Removed) or found.old is None:
            return None
        names = ", ".join(f"`{name}`" for name in found.old.members)
        if found.new is not None:
            message = f"the union of {names} in `{change.element.type}` has another name or other members"
            return Verdict(message, {}, severities=Severities.of("-/-/-"))
        return Verdict(
            f"{names} of `{change.element.type}` are no longer members of a union", found.hits, examples=found.examples
        )
