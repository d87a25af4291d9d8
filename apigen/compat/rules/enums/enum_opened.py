"""An enum accepts values that nobody knows."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.constraints.effects import loosened_hits
from apigen.compat.rules.enums.unknown_text import unknown_text
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.types import Enum
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class EnumOpened(ChangeRule):
    """`open: true` came."""

    id = "enum-opened"
    title = "an enum that accepts any other value now"
    severities = Severities.of("W/E/E")
    explanation = (
        "Clients were told that there are no other values, or what to take them for, and meet some. Servers of the release before"
        " refuse them. An enum says whether it is open in its first release."
    )
    fix = "leave the enum as it was, and add values one by one"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims enums that became open."""
        if not isinstance(change, Altered) or change.after is not True or not isinstance(change.new, Enum):
            return None
        other = unknown_text(change.old, change.new)
        hits = loosened_hits(f'"{other}"')
        return Verdict(
            f"`{change.element.type}` accepts values that nobody knows", hits, examples=(Example(Side.NEW, other),)
        )
