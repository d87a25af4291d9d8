"""Clients are sent to a version that servers of before do not have."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.lifecycle.moves import move_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import at, release_before
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("preferred-advanced-too-early", altered(Trait.PREFERRED, ElementKind.VERSION), severities="I/W/E")
def preferred_advanced_too_early(change: AnyChange, context: Context) -> Verdict | None:
    """While servers are upgraded, the preferred version is there on some of them only."""
    move = move_of(change, context) if isinstance(change, Altered) else None
    if move is None:
        return None
    problem = (
        f"{release_before(context, change.element.group)} could not take over again: {missing}"
        if (missing := move.missing(None))
        else ""
    )
    if not problem and move.is_to_less_stable:
        problem = "that promises less"
    if not problem:
        return None
    hits = {
        Direction.OLD_CLIENT: depends(f"a client that takes what the server prefers gets {move.now.name}"),
        Direction.ROLLBACK: depends(f"what was written in {move.now.name} is not there in the release before"),
    }
    message = f"{move.now.name} is preferred, {move.was} was, and {problem}"
    return Verdict(
        message,
        hits,
        patch=f"{move.was}: {{preferred: true}}",
        severities=at(preferred_advanced_too_early.severities, move.promise),
    )
