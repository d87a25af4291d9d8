"""A value may no longer be null."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.presence.null_on_wire import wire_hits
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.types.null_of_anything import is_told_by_type
from apigen.compat.values.hits import joined
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.preset import JSON
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("nullable-removed", altered(Trait.NULLABLE), severities="W/E/E", presets=JSON)
def nullable_removed(change: AnyChange, context: Context) -> Verdict | None:
    """null was a value, and is refused."""
    if not isinstance(change, Altered) or change.after:
        return None
    if is_told_by_type(change):
        return Verdict(f"{change.element} may not be null, as its type says", {}, severities=Severities.of("-/-/-"))
    hits = {
        Direction.OLD_CLIENT: breaks("a client of before that sends null is refused"),
        Direction.NEW_CLIENT: depends("a new client may not be able to read null, which clients of before have set"),
        Direction.STORED: breaks("null in a stored object is refused"),
    }
    words = f"{change.element} may not be null, and could"
    examples = (Example(Side.OLD, None),)
    return Verdict(words, joined((wire_hits(change, context), hits)), examples=examples)
