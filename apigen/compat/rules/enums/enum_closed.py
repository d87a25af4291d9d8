"""An enum no longer accepts values that nobody knows."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.effects import tightened_hits
from apigen.compat.rules.enums.unknown_text import unknown_text
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.types import Enum
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.verdict import Verdict


@change_rule("enum-closed", altered(Trait.OPEN, ElementKind.ENUM), severities="W/E/E", mitigated_by=(Ratcheting(),))
def enum_closed(change: AnyChange, context: Context) -> Verdict | None:
    """`open: true` went."""
    if not isinstance(change, Altered) or change.after is True or not isinstance(change.new, Enum):
        return None
    other = unknown_text(change.old, change.new)
    message = f"`{change.element.type}` refuses values that nobody knows, and accepted them"
    return Verdict(message, tightened_hits(f'"{other}"'), examples=(Example(Side.OLD, other),))
