"""The four directions of a change, and what it does in each."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from apigen.dataclass import dataclass


class Direction(StrEnum):
    """Who meets whom. The order is that of reports."""

    OLD_CLIENT = "oldClient"  # an older client talks to the new server
    NEW_CLIENT = "newClient"  # a new client talks to an older server
    STORED = "stored"  # objects that are stored are read by the new release
    ROLLBACK = "rollback"  # what the new release wrote is read by the one before


CLIENTS = (Direction.OLD_CLIENT, Direction.NEW_CLIENT)
"""Those in which a client talks to a server."""


class Impact(StrEnum):
    """What a change does in a direction."""

    SAFE = "safe"  # no hit has it; the published schema of reviews names it
    DEPENDS = "depends"  # on what clients do with it
    BREAKS = "breaks"


@dataclass(frozen=True, slots=True)
class Hit:
    """An impact, and one sentence of what happens to whom."""

    impact: Impact
    text: str


Effects = Mapping[Direction, Hit]
"""By direction; one that is missing is safe."""


def breaks(text: str) -> Hit:
    """It breaks: what happens to whom."""
    return Hit(Impact.BREAKS, text)


def depends(text: str) -> Hit:
    """It may break: on whom, and what it depends on."""
    return Hit(Impact.DEPENDS, text)
