"""The answer to whether all values of one set are values of another."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.review.verdict.example import JsonValue


@dataclass(frozen=True, slots=True)
class Included:
    """Every value of the one is a value of the other."""


@dataclass(frozen=True, slots=True)
class NotIncluded:
    """A value of the one that is none of the other. `counter_example` is None where it has no form in JSON that is known."""

    counter_example: JsonValue = None


@dataclass(frozen=True, slots=True)
class NotProven:
    """It could not be decided; `reason` goes on from "not proven: "."""

    reason: str


Inclusion = Included | NotIncluded | NotProven

INCLUDED = Included()
