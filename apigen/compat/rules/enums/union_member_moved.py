"""A field joined a union, or left it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.rules.enums.union_change import union_change
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class UnionMemberMoved(ChangeRule):
    """What could be set together excludes each other now, or the reverse."""

    id = "union-member-moved"
    title = "a field that joined or left a union"
    severities = Severities.of("W/E/E")
    explanation = (
        "A field of before that becomes a member excludes the others: objects that set both were valid. One that is no longer a"
        " member can be set beside another, which servers of before refuse, and where it was the only one set, none is now."
    )
    fix = "leave the union as it was, and add a field of its own"
    mitigations = (Ratcheting(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims members that came or went and whose field is there on both sides."""
        found = union_change(change, context)
        if found is None or found.old is None or found.new is None:
            return None
        joined = [name for name in found.new.members if name not in found.old.members and name in found.before.fields]
        left = [name for name in found.old.members if name not in found.new.members and name in found.after.fields]
        if not joined and not left:
            return None
        words = [f"`{name}` joined" for name in joined] + [f"`{name}` left" for name in left]
        hits = found.hits
        hits.setdefault(
            Direction.NEW_CLIENT, depends("a server of before has another idea of which members exclude each other")
        )
        return Verdict(f"{', '.join(words)} the union of `{change.element.type}`", hits, examples=found.examples)
