"""A value may no longer be null."""

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


class NullableRemoved(ChangeRule):
    """null was a value, and is refused."""

    id = "nullable-removed"
    title = "a value that may not be null, and could"
    severities = Severities.of("W/E/E")
    explanation = (
        "Requests with null are refused from now on, and so are stored objects that hold it. An API server that drops null"
        " before it validates gives such objects another meaning instead."
    )
    fix = "keep the value nullable"
    presets = JSON

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims places that were nullable."""
        if not isinstance(change, Altered) or change.after:
            return None
        if is_told_by_type(change):
            return Verdict(f"{change.element} may not be null, as its type says", {}, severities=Severities.of("-/-/-"))
        hits = {
            Direction.OLD_CLIENT: breaks("a client of before that sends null is refused"),
            Direction.NEW_CLIENT: depends(
                "a new client may not be able to read null, which clients of before have set"
            ),
            Direction.STORED: breaks("null in a stored object is refused"),
        }
        words = f"{change.element} may not be null, and could"
        examples = (Example(Side.OLD, None),)
        return Verdict(words, joined((wire_hits(change, context), hits)), examples=examples)
