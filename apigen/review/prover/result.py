"""The result of a comparison of two sets of values."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.language.json_values import JsonValue


@dataclass(frozen=True, slots=True)
class Included:
    """Every value of the first set is in the second."""


@dataclass(frozen=True, slots=True)
class NotIncluded:
    """A value of one set that is not in the other. `counter_example` is `None` if its JSON form is unknown."""

    counter_example: JsonValue = None


@dataclass(frozen=True, slots=True)
class NotProven:
    """The inclusion could not be decided; `reason` is a clause after "not verified, because"."""

    reason: str


Inclusion = Included | NotIncluded | NotProven

INCLUDED = Included()
