"""The outcome of an object that one side accepts and the other side receives."""

from __future__ import annotations

from enum import StrEnum

from apigen.dataclass import dataclass
from apigen.language.json_values import JsonValue
from apigen.review.counterexamples.attributing import Rejection
from apigen.review.results import Direction, Side

SENDERS = {Side.OLD: Direction.OLD_CLIENT, Side.NEW: Direction.NEW_CLIENT}
"""The directions in which a client of a side sends an object to the server of the other side."""

READERS = {Side.OLD: Direction.NEW_CLIENT, Side.NEW: Direction.OLD_CLIENT}
"""The directions in which a client of the other side reads an object of a side."""

KEEPERS = {Side.OLD: Direction.STORED, Side.NEW: Direction.ROLLBACK}
"""The directions in which the other side reads an object that a side stored."""


class OutcomeKind(StrEnum):
    """The result for the object."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    LOST = "lost"
    REJECTED = "rejected"
    NOT_VALID = "not valid"  # the side that it is an example for rejects it, so it shows nothing


@dataclass(frozen=True, slots=True)
class Outcome:
    """`text` describes the outcome, in a sentence without a final period; `after` is the resulting value, if there is
    one.

    `errors` are those of a rejection, if the server reports them one by one.
    """

    outcome_kind: OutcomeKind
    text: str = ""
    before: JsonValue = None
    after: JsonValue = None
    errors: tuple[Rejection, ...] = ()

    @property
    def shows(self) -> bool:
        """Return whether it shows that something breaks."""
        return self.outcome_kind in (OutcomeKind.CHANGED, OutcomeKind.LOST, OutcomeKind.REJECTED)


def rejected(text: str, error: Exception, value: JsonValue) -> Outcome:
    """Return the outcome of a rejection; `text` describes what was rejected."""
    return Outcome(OutcomeKind.REJECTED, f"{text}: {error}", value, errors=getattr(error, "errors", ()))


UNCHANGED = Outcome(OutcomeKind.UNCHANGED)
