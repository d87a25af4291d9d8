"""What became of an object that one side accepts when it met the other."""

from __future__ import annotations

from enum import StrEnum

from apigen.dataclass import dataclass
from apigen.review.verdict.example import JsonValue


class Fate(StrEnum):
    """What became of it."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    LOST = "lost"
    REFUSED = "refused"
    NOT_VALID = "not valid"  # by the side that it is an example for: it shows nothing


@dataclass(frozen=True, slots=True)
class Outcome:
    """`text` says what happened, in a sentence without its full stop; `after` is what came out, where anything did."""

    fate: Fate
    text: str = ""
    before: JsonValue = None
    after: JsonValue = None

    @property
    def shows(self) -> bool:
        """Whether it shows that something breaks."""
        return self.fate in (Fate.CHANGED, Fate.LOST, Fate.REFUSED)


UNCHANGED = Outcome(Fate.UNCHANGED)
