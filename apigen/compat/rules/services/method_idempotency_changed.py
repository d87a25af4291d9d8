"""Another idempotency level is promised of a method."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import option_of, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_UNKNOWN = "IDEMPOTENCY_UNKNOWN"


class MethodIdempotencyChanged(ChangeRule):
    """Clients repeat or cache calls by it."""

    id = "method-idempotency-changed"
    title = "the idempotency level of a method"
    severities = Severities.of("W/E/E")
    explanation = (
        "By NO_SIDE_EFFECTS clients may send calls as GET and cache them, by IDEMPOTENT they repeat them after an"
        " error. A client of before goes on as it was told."
    )
    fix = "keep the level; add a method where the promise cannot be kept"
    no_witness = "a method is no object"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims the option."""
        option = option_of(change, "idempotency_level")
        if option is None:
            return None
        before, after = (level or _UNKNOWN for level in option[1:])
        if before == after:
            return silent(f"method {change.element} says of idempotency what held anyway")
        message = f"method {change.element} has the idempotency level {after} instead of {before}"
        old = depends(f"a client of before calls it as one that is {before}")
        new = depends(f"a new client calls it as one that is {after} on a server of before")
        return Verdict(message, {Direction.OLD_CLIENT: old, Direction.NEW_CLIENT: new})
