"""A oneof got a new member."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import hits_in, silent
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.types import Struct, Union
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("oneof-member-added", altered(Trait.MEMBERS, ElementKind.UNION), severities="I/W/W")
def oneof_member_added(change: AnyChange, context: Context) -> Verdict | None:
    """Who does not know the member sees a oneof in which nothing is set."""
    if not isinstance(change, Altered) or not isinstance(change.new, Union) or not isinstance(change.old, Union):
        return None
    struct = context.old.type(change.element.type_name)
    if not change.new.on_wire or not isinstance(struct, Struct):
        return None
    came = sorted(name for name in change.new.members if name not in change.old.members and name not in struct.fields)
    if not came:
        return silent(f"the members of {change.element} changed with the fields that came to it or went")
    text = "has nothing set in the oneof, as the reader sees it"
    hits = hits_in((Direction.NEW_CLIENT, Direction.ROLLBACK), text)
    seen = depends("a client of before that reads a new answer sees nothing set in the oneof")
    return Verdict(f"{change.element} has the new member {', '.join(came)}", {Direction.OLD_CLIENT: seen, **hits})
