"""A new field is a member of a union."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.enums.union_change import union_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("union-member-added", altered(Trait.MEMBERS, ElementKind.UNION), severities="I/W/W")
def union_member_added(change: AnyChange, context: Context) -> Verdict | None:
    """Who does not know it sees a union of which nothing is set."""
    found = union_change(change, context)
    if found is None or found.old is None or found.new is None:
        return None
    came = [name for name in found.new.members if name not in found.old.members]
    if not came or found.effect.refused is not None or any(name in found.before.fields for name in came):
        return None
    if any(name not in found.new.members for name in found.old.members):
        return None
    names = ", ".join(f"`{name}`" for name in came)
    hits = found.hits
    hits[Direction.OLD_CLIENT] = depends(f"a client of before reads an object with {names} as one without a member")
    text = f"sees no member of the union where {names} is set"
    hits.setdefault(Direction.NEW_CLIENT, depends(f"a server of before {text}"))
    hits.setdefault(Direction.ROLLBACK, depends(f"the release before {text}"))
    return Verdict(f"the union of `{change.element.type}` has the new member {names}", hits, examples=found.examples)
