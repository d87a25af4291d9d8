"""A method streams, or no longer."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "method-streaming-changed",
    altered(Trait.CLIENT_STREAMS, ElementKind.METHOD),
    altered(Trait.SERVER_STREAMS, ElementKind.METHOD),
    severities="W/E/E",
    presets=WIRE,
)
def method_streaming_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Client and server wait for each other, or stop too early."""
    if not isinstance(change, Altered):
        return None
    whose = "requests" if change.trait is Trait.CLIENT_STREAMS else "responses"
    message = f"method {change.element} {'streams' if change.after else 'no longer streams'} its {whose}"
    hit = breaks(f"the two sides disagree on how many {whose} there are")
    return Verdict(message, {Direction.OLD_CLIENT: hit, Direction.NEW_CLIENT: hit})
