"""A value may be null."""

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


@change_rule("nullable-added", altered(Trait.NULLABLE), severities="I/W/E", presets=JSON)
def nullable_added(change: AnyChange, context: Context) -> Verdict | None:
    """null is a value to who knows the new schema only."""
    if not isinstance(change, Altered) or not change.after:
        return None
    if is_told_by_type(change):
        return Verdict(f"{change.element} may be null, as its type says", {}, severities=Severities.of("-/-/-"))
    hits = {
        Direction.OLD_CLIENT: depends("a client of before may not be able to read null"),
        Direction.NEW_CLIENT: breaks("a new client that sends null to a server of before is refused"),
        Direction.ROLLBACK: breaks("null in an object that the new release stored is refused by the one before"),
    }
    words = f"{change.element} may be null, and could not"
    examples = (Example(Side.NEW, None),)
    return Verdict(words, joined((wire_hits(change, context), hits)), examples=examples)
