"""What readers take for absence is another value."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.types import Default
from apigen.compat.verdict.example import ABSENT, Example, Side
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule("default-of-readers-changed", altered(Trait.DEFAULT), severities="W/E/E", presets=WIRE)
def default_of_readers_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Nothing on the wire tells the old default from the new one."""
    if not isinstance(change, Altered):
        return None
    before, after = change.before, change.after
    known = [each for each in (before, after) if isinstance(each, Default)]
    if not known or not all(each.of_readers for each in known):
        return None
    was, now = (each.text if isinstance(each, Default) else "its zero" for each in (before, after))
    message = f"{change.element} is {now} where it is absent, and was {was}"
    hits = hits_in(EVERYWHERE, "without the field means another value to the reader")
    examples = (Example(Side.OLD, ABSENT), Example(Side.NEW, ABSENT))
    return Verdict(message, hits, examples=examples)
