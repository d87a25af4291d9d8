"""Nothing keeps a name or number from coming back any more."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered, removed
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.tombstones.stones import freed_by
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "tombstone-removed",
    removed(ElementKind.TOMBSTONE),
    altered(Trait.NUMBERS, ElementKind.TOMBSTONE),
    severities="E/E/E",
    presets=WIRE,
    is_excusable=False,
)
def tombstone_removed(change: AnyChange, context: Context) -> Verdict | None:
    """Nobody is hurt today, and somebody will be who does not know what was there."""
    freed = freed_by(change, context.new)
    if freed is None:
        return None
    hit = depends(f"on whether anybody ever uses {freed.words} again")
    where = change.element.type or change.element.group or "core"
    message = f"nothing keeps {freed.words} of {where} from coming back any more"
    return Verdict(
        message,
        {Direction.STORED: hit, Direction.ROLLBACK: hit},
    )
