"""A value may be null."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.presence.null_on_wire import wire_hits
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.types.null_of_anything import is_told_by_type
from apigen.compat.values.hits import joined
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.preset import JSON
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class NullableAdded(ChangeRule):
    """null is a value to who knows the new schema only."""

    id = "nullable-added"
    title = "a value that may be null, and could not"
    severities = Severities.of("I/W/E")
    explanation = (
        "Servers of before refuse null, or drop the member before they fill in its default. Clients of before may not be able"
        " to read it, and the release before does not accept what was stored with it."
    )
    fix = "leave the member out instead of setting it to null"
    presets = JSON

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims places that become nullable."""
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
