"""What each direction does to a field that is gone, with or without a tombstone."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.fields.placing import demands_of, hits_of_removed
from apigen.compat.surface.types import Field
from apigen.compat.values.hits import joined
from apigen.compat.values.member import member_of
from apigen.compat.values.unjudged import refusal_of_update
from apigen.compat.values.waking import of_removed, woken
from apigen.compat.verdict.impact import Direction, Hits, depends


def removal_hits(change: AnyChange, field: Field, context: Context) -> Hits:
    """The hits of a removed field: of itself, of the structs that its default woke, and of updates."""
    name, member = change.element.type_name, member_of(context.old_types, field)
    hits = of_removed(
        hits_of_removed(member, change, context),
        woken(context.old, context.new, name, field),
        ratchets=context.old.ratchets,
    )
    of_update = refusal_of_update(member)
    if of_update:
        text = f"a server of before may refuse updates without it: {of_update}"
        hits = joined((hits, {Direction.NEW_CLIENT: depends(text)}))
    demands = {
        Direction.NEW_CLIENT: "a new client that leaves it out is refused by a server of before",
        Direction.ROLLBACK: "the release before refuses an object without it when it judges it again",
    }
    return joined((hits, demands_of(member, change, (context.old, context.new), demands)))
