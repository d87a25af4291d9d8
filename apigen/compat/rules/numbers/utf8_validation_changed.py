"""Text is checked to be UTF-8, or no longer."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import hits_in, option_of, silent
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, Impact
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule("utf8-validation-changed", altered(Trait.OPTIONS, ElementKind.FIELD), severities="I/W/W", presets=WIRE)
def utf8_validation_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Text that is no UTF-8 is refused by the side that checks."""
    option = option_of(change, "utf8_validation")
    if option is None:
        return None
    _, before, after = option
    if before is None or after is None:
        return silent(f"{change.element} is a text on one side only")
    checks = after == "VERIFY"
    whom = (Direction.OLD_CLIENT, Direction.STORED) if checks else (Direction.NEW_CLIENT, Direction.ROLLBACK)
    message = f"{change.element} is {'now' if checks else 'no longer'} checked to be UTF-8"
    return Verdict(message, hits_in(whom, "is refused where its text is no UTF-8", Impact.DEPENDS))
