"""An enum accepts values that nobody knows."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.effects import loosened_hits
from apigen.compat.rules.enums.unknown_text import unknown_text
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.types import Enum
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.verdict import Verdict


@change_rule("enum-opened", altered(Trait.OPEN, ElementKind.ENUM), severities="W/E/E")
def enum_opened(change: AnyChange, context: Context) -> Verdict | None:
    """`open: true` came."""
    if not isinstance(change, Altered) or change.after is not True or not isinstance(change.new, Enum):
        return None
    other = unknown_text(change.old, change.new)
    hits = loosened_hits(f'"{other}"')
    return Verdict(
        f"`{change.element.type}` accepts values that nobody knows", hits, examples=(Example(Side.NEW, other),)
    )
