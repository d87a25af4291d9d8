"""A struct keeps members that it does not know, and did not."""

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
    "unknown-fields-opened", altered(Trait.UNKNOWN_FIELDS, ElementKind.STRUCT), severities="I/W/W", presets=WIRE
)
def unknown_fields_opened(change: AnyChange, context: Context) -> Verdict | None:
    """Objects can hold what nobody describes, and those who know the old type lose it."""
    step = steps_of(change)
    if step is None or not step.opens:
        return None
    hits = {
        Direction.OLD_CLIENT: depends("a client of before meets members that it does not know"),
        Direction.NEW_CLIENT: breaks(f"on a server of before they are {step.before}"),
        Direction.ROLLBACK: breaks(f"in the release before they are {step.before}"),
    }
    words = f"members that {change.element} does not know are {step.after}, and were {step.before}"
    return Verdict(words, hits, examples=(Example(Side.NEW, {"notKnown": 1}),))
