"""A name or number that never was to return is used for something else."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered, removed
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.tombstones.stones import freed_by
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.types import Field
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "tombstone-reused",
    removed(ElementKind.TOMBSTONE),
    altered(Trait.NUMBERS, ElementKind.TOMBSTONE),
    severities="E/E/E",
    presets=WIRE,
    is_excusable=False,
)
def tombstone_reused(change: AnyChange, context: Context) -> Verdict | None:
    """What is stored under it is read as something that it is not."""
    freed = freed_by(change, context.new)
    if freed is None or freed.user is None:
        return None
    user = freed.user.name if isinstance(freed.user, Field) else freed.user.value
    hits = {
        Direction.OLD_CLIENT: breaks(f"what a client of before sends as {freed.words} is read as the new {user}"),
        Direction.NEW_CLIENT: breaks(f"a server of before reads the new {user} as {freed.words}, if it has that still"),
        Direction.STORED: breaks(f"what is stored as {freed.words} is read as the new {user}"),
        Direction.ROLLBACK: breaks(f"a release that has {freed.words} still reads the new {user} as that"),
    }
    message = f"{freed.words} of {change.element.type} had a tombstone, and {user} uses it now"
    return Verdict(message, hits, patch=_patch(freed.words))


def _patch(words: str) -> str:
    return f"tombstones: {{{words.split(' and ')[0]}: {{…}}}}"
