"""A kind moved into namespaces, or out of them."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.verdict import Verdict


@change_rule("scope-changed", altered(Trait.SCOPE, ElementKind.KIND), severities="E/E/E")
def scope_changed(change: AnyChange, context: Context) -> Verdict | None:
    """URLs and store keys of a kind have a namespace in them, or have not."""
    if not isinstance(change, Altered):
        return None
    kind, before, after = change.element.type, f"{change.before}", f"{change.after}"
    hits = {
        Direction.OLD_CLIENT: breaks(f"a client of before asks for {kind} as {before}, and gets 404 Not Found"),
        Direction.NEW_CLIENT: breaks(f"a new client asks a server of before for {kind} as {after}, and gets 404"),
        Direction.STORED: breaks(f"{kind} objects are stored under keys of {before}, and looked for as {after}"),
        Direction.ROLLBACK: breaks(f"{kind} objects stored as {after} are not found by the release before"),
    }
    return Verdict(
        f"the scope of kind {kind} was {before}, and is {after}",
        hits,
    )
