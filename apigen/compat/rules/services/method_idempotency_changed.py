"""Another idempotency level is promised of a method."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import option_of, silent
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict

_UNKNOWN = "IDEMPOTENCY_UNKNOWN"


@change_rule("method-idempotency-changed", altered(Trait.OPTIONS, ElementKind.METHOD), severities="W/E/E", presets=WIRE)
def method_idempotency_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Clients repeat or cache calls by it."""
    option = option_of(change, "idempotency_level")
    if option is None:
        return None
    before, after = (level or _UNKNOWN for level in option[1:])
    if before == after:
        return silent(f"method {change.element} says of idempotency what held anyway")
    message = f"method {change.element} has the idempotency level {after} instead of {before}"
    old = depends(f"a client of before calls it as one that is {before}")
    new = depends(f"a new client calls it as one that is {after} on a server of before")
    return Verdict(message, {Direction.OLD_CLIENT: old, Direction.NEW_CLIENT: new})
