"""What had a tombstone says that it came back as it was."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered, removed
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.tombstones.stones import freed_by
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.hits import alike
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "tombstone-returned",
    removed(ElementKind.TOMBSTONE),
    altered(Trait.NUMBERS, ElementKind.TOMBSTONE),
    severities="W/W/E",
    presets=WIRE,
    is_excusable=False,
)
def tombstone_returned(change: AnyChange, context: Context) -> Verdict | None:
    """Old objects have it as it was, if it is as it was."""
    freed = freed_by(change, context.new)
    if freed is None or freed.user is None or freed.user.lifecycle.returned is None:
        return None
    hit = depends("on whether it is what it was: objects that have it still are read again")
    hits = alike(hit, Direction.OLD_CLIENT, Direction.STORED, Direction.ROLLBACK)
    message = f"{freed.words} of {change.element.type} came back in {freed.user.lifecycle.returned}, and its tombstone is gone"
    return Verdict(f"{message}; that it is as it was is not proven by these two sides", hits, is_unproven=True)
