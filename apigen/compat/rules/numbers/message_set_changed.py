"""A message became a message set, or is none any more."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in, option_of, silent
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "message-set-changed",
    altered(Trait.OPTIONS, ElementKind.STRUCT),
    severities="E/E/E",
    presets=WIRE,
    is_excusable=False,
)
def message_set_changed(change: AnyChange, context: Context) -> Verdict | None:
    """The two have nothing in common on the wire."""
    option = option_of(change, "message_set_wire_format")
    if option is None:
        return None
    _, before, after = option
    if (before == "true") == (after == "true"):
        return silent(f"{change.element} says of message sets what held anyway")
    words = "is a message set now" if after == "true" else "is no message set any more"
    return Verdict(f"{change.element} {words}", hits_in(EVERYWHERE, "is written in a form that the reader skips"))
