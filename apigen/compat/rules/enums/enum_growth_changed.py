"""An enum says something else of whether it may grow."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("enum-growth-changed", altered(Trait.CLOSED, ElementKind.ENUM), severities="W/E/E")
def enum_growth_changed(change: AnyChange, context: Context) -> Verdict | None:
    """`open: false` came or went: a promise, and no validation."""
    if not isinstance(change, Altered):
        return None
    name = change.element.type
    if change.after is True:
        return Verdict(f"`{name}` says that it never gets another value", {}, severities=Severities.of("I/I/I"))
    text = "a client of before handles all values and nothing else"
    return Verdict(f"`{name}` no longer says that it never gets another value", {Direction.OLD_CLIENT: depends(text)})
