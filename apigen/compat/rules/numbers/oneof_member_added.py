"""A oneof got a new member."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import hits_in, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.types import Struct, Union
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class OneofMemberAdded(ChangeRule):
    """Who does not know the member sees a oneof in which nothing is set."""

    id = "oneof-member-added"
    title = "a new member of a oneof"
    severities = Severities.of("I/W/W")
    explanation = (
        "A side that does not know the new member takes a message with it for one in which nothing of the oneof"
        " is set, and decides by that. Bytes are kept as an unknown field."
    )
    fix = "let readers treat a oneof in which nothing is set as something that they do not know"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims the members of oneofs; fields of before that join or leave are told at the fields."""
        if not isinstance(change, Altered) or not isinstance(change.new, Union) or not isinstance(change.old, Union):
            return None
        struct = context.old.type(change.element.type_name)
        if not change.new.on_wire or not isinstance(struct, Struct):
            return None
        came = sorted(
            name for name in change.new.members if name not in change.old.members and name not in struct.fields
        )
        if not came:
            return silent(f"the members of {change.element} changed with the fields that came to it or went")
        text = "has nothing set in the oneof, as the reader sees it"
        hits = hits_in((Direction.NEW_CLIENT, Direction.ROLLBACK), text)
        seen = depends("a client of before that reads a new answer sees nothing set in the oneof")
        return Verdict(f"{change.element} has the new member {', '.join(came)}", {Direction.OLD_CLIENT: seen, **hits})
