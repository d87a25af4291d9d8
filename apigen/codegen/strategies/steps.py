"""The steps of generated strategies, which the template shows: texts of expressions, and steps within levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from apigen.codegen.python.walking import Level
from apigen.dataclass import dataclass

Step: TypeAlias = "Assigned | Called | Cleared | Within"
Steps: TypeAlias = "tuple[Step, ...]"


@dataclass(frozen=True, slots=True)
class Assigned:
    """A place or variable gets a value."""

    kind = "assigned"
    place: str
    value: str


@dataclass(frozen=True, slots=True)
class Called:
    """The call of a function or method."""

    kind = "called"
    function: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Cleared:
    """A note of dropped data, after its place gets another value, or is deleted if there is no value.

    The place is empty for data that is removed together with other data.
    """

    kind = "cleared"
    path: str
    reason: str
    place: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Within:
    """Steps within a level, and those for a false test of it."""

    kind = "within"
    level: Level
    steps: Steps
    otherwise: Steps = ()


def within(levels: Sequence[Level], steps: Steps) -> Steps:
    """Return steps within levels, from the outside in; the steps as they are without levels."""
    for level in reversed(levels):
        steps = (Within(level, steps),)
    return steps
