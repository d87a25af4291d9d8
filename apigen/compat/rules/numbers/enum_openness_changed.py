"""An enum of protobuf was opened or closed."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in, option_of, silent
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Impact
from apigen.compat.verdict.verdict import Verdict


@change_rule("enum-openness-changed", altered(Trait.OPTIONS, ElementKind.ENUM), severities="W/E/E")
def enum_openness_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Numbers that the enum does not know are kept as values, or put aside."""
    option = option_of(change, "enum_type")
    if option is None:
        return None
    _, before, after = option
    if before is None or after is None:
        return silent(f"{change.element} is an enum of protobuf on one side only")
    words = (
        "closed, so that unknown numbers look absent"
        if after == "CLOSED"
        else "open, so that unknown numbers are values"
    )
    message = f"{change.element} is {words}"
    return Verdict(message, hits_in(EVERYWHERE, "means something else where its number is unknown", Impact.DEPENDS))
