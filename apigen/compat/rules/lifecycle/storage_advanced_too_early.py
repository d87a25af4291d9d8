"""Objects are to be stored in a version that the release before does not know."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.lifecycle.moves import effect_of, hits_of_effect, move_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import at, release_before
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.hits import joined
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "storage-advanced-too-early",
    altered(Trait.STORAGE, ElementKind.VERSION),
    altered(Trait.STORAGE, ElementKind.KIND),
    severities="W/E/E",
)
def storage_advanced_too_early(change: AnyChange, context: Context) -> Verdict | None:
    """A server that is rolled back, or that runs beside a newer one, finds objects that it cannot read."""
    move = move_of(change, context) if isinstance(change, Altered) else None
    if move is None:
        return None
    problem = move.missing(context.old.version(change.element.group, move.was))
    if not problem:
        return None
    hits = {
        Direction.ROLLBACK: breaks(f"the release before finds objects stored in {move.now.name}, and cannot read them")
    }
    hits = joined((hits, hits_of_effect(effect_of(move, change.element, context))))
    what = f"the storage version of {move.kind}" if move.kind else "the storage version"
    message = f"{what} moved from {move.was} to {move.now.name}, and {release_before(context, change.element.group)} could not take over again: {problem}"
    return Verdict(
        message,
        hits,
        patch=f"{move.was}: {{storage: true}}",
        severities=at(storage_advanced_too_early.severities, move.promise),
    )
