"""Clients that let the server choose get another version."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.lifecycle.moves import move_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import silent
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("preferred-version-moved", altered(Trait.PREFERRED, ElementKind.VERSION), severities="I/I/I")
def preferred_version_moved(change: AnyChange, context: Context) -> Verdict | None:
    """As it should be: the release before served it."""
    if not isinstance(change, Altered):
        return None
    move = move_of(change, context)
    if move is None:
        return silent(f"{change.element.version} is part of a move of the preferred version that is told elsewhere")
    hit = depends(f"a client that takes what the server prefers gets {move.now.name}, and may know {move.was} alone")
    return Verdict(
        f"{move.now.name} is preferred, and {move.was} was",
        {Direction.OLD_CLIENT: hit},
    )
