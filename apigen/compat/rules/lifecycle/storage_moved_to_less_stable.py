"""Objects are to be stored in a version that promises less."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.lifecycle.moves import effect_of, hits_of_effect, move_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import at
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.hits import joined
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.stability import stability


@change_rule(
    "storage-moved-to-less-stable",
    altered(Trait.STORAGE, ElementKind.VERSION),
    altered(Trait.STORAGE, ElementKind.KIND),
    severities="W/E/E",
)
def storage_moved_to_less_stable(change: AnyChange, context: Context) -> Verdict | None:
    """The version may be gone before the objects are."""
    move = move_of(change, context) if isinstance(change, Altered) else None
    if move is None or not move.is_to_less_stable:
        return None
    promise = stability(move.now.name)
    hits = {
        Direction.STORED: depends(
            f"objects are stored in {move.now.name}, which is {promise}: it may end before they do"
        ),
        Direction.ROLLBACK: breaks(
            f"the release before has to read what is stored in {move.now.name}, which is {promise}"
        ),
    }
    hits = joined((hits, hits_of_effect(effect_of(move, change.element, context))))
    what = f"the storage version of {move.kind}" if move.kind else "the storage version"
    message = f"{what} moved from {move.was} to {move.now.name}, which is less stable"
    return Verdict(
        message,
        hits,
        patch=f"{move.was}: {{storage: true}}",
        severities=at(storage_moved_to_less_stable.severities, move.promise),
    )
