"""A member of a union is gone with its field."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.enums.union_change import union_change
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class UnionMemberRemoved(ChangeRule):
    """An object that set it sets nothing now."""

    id = "union-member-removed"
    title = "a member of a union that is gone"
    severities = Severities.of("W/E/E")
    explanation = (
        "The field is dropped from objects that have it, and what is left is a union of which no member is set: it is refused, or"
        " means something else."
    )
    fix = "keep the member, and deprecate it"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims members whose field the new side does not have."""
        found = union_change(change, context)
        if found is None or found.old is None or found.new is None:
            return None
        went = [name for name in found.old.members if name not in found.new.members]
        if not went:
            return None
        names = ", ".join(f"`{name}`" for name in went)
        text = f"an object with {names} is left without a member of the union"
        hits = {Direction.STORED: breaks(text), **found.hits, Direction.OLD_CLIENT: breaks(text)}
        hits.setdefault(
            Direction.NEW_CLIENT,
            depends(f"a new client cannot read the member {names} of objects at a server of before"),
        )
        return Verdict(f"the union of `{change.element.type}` lost the member {names}", hits, examples=found.examples)
