"""A struct no longer keeps members that it does not know."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.fields.openness import steps_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "unknown-fields-closed", altered(Trait.UNKNOWN_FIELDS, ElementKind.STRUCT), severities="W/E/E", presets=WIRE
)
def unknown_fields_closed(change: AnyChange, context: Context) -> Verdict | None:
    """What objects hold besides their fields is lost, or the objects are refused."""
    step = steps_of(change)
    if step is None or step.opens:
        return None
    hits = {
        Direction.OLD_CLIENT: breaks(f"what a client of before sends besides the fields is {step.after}"),
        Direction.NEW_CLIENT: depends("a new client meets members that it does not know"),
        Direction.STORED: breaks(f"what stored objects hold besides the fields is {step.after}"),
    }
    words = f"members that {change.element} does not know are {step.after}, and were {step.before}"
    return Verdict(words, hits, examples=(Example(Side.OLD, {"notKnown": 1}),))
