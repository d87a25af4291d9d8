"""A field joined a union, or left it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.rules.claims import altered
from apigen.compat.rules.enums.union_change import union_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "union-member-moved", altered(Trait.MEMBERS, ElementKind.UNION), severities="W/E/E", mitigated_by=(Ratcheting(),)
)
def union_member_moved(change: AnyChange, context: Context) -> Verdict | None:
    """What could be set together excludes each other now, or the reverse."""
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
