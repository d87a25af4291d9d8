"""A message is written as a group, or no longer."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in, option_of, silent
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict

_WORDS = {"DELIMITED": "as a group", "LENGTH_PREFIXED": "with its length"}


@change_rule("message-encoding-changed", altered(Trait.OPTIONS, ElementKind.FIELD), severities="W/E/E", presets=WIRE)
def message_encoding_changed(change: AnyChange, context: Context) -> Verdict | None:
    """A reader of one encoding skips the other as an unknown field."""
    option = option_of(change, "message_encoding")
    if option is None:
        return None
    _, before, after = option
    if before is None or after is None:
        return silent(f"{change.element} is a message on one side only")
    message = f"{change.element} is written {_WORDS[after]} instead of {_WORDS[before]}"
    return Verdict(message, hits_in(EVERYWHERE, "has the message in a form that the reader skips"))
