"""A member of a union is gone with its field."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.enums.union_change import union_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("union-member-removed", altered(Trait.MEMBERS, ElementKind.UNION), severities="W/E/E")
def union_member_removed(change: AnyChange, context: Context) -> Verdict | None:
    """An object that set it sets nothing now."""
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
