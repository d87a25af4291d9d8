"""The four directions of a change, and its effects in each."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from apigen.dataclass import dataclass


class Direction(StrEnum):
    """Writer and reader. The order is that of reports."""

    OLD_CLIENT = "oldClient"  # an older client uses the newer server
    NEW_CLIENT = "newClient"  # a newer client uses an older server
    STORED = "stored"  # the newer release reads stored objects
    ROLLBACK = "rollback"  # the previous release reads objects of the newer one


CLIENTS = (Direction.OLD_CLIENT, Direction.NEW_CLIENT)
"""The directions in which a client uses a server."""


class Impact(StrEnum):
    """The impact of a change in a direction."""

    SAFE = "safe"  # no effect has it; the published schema of reviews has it
    DEPENDS = "depends"  # on what clients do with it
    BREAKS = "breaks"


@dataclass(frozen=True, slots=True)
class Effect:
    """An impact, and one sentence about the affected client or server."""

    impact: Impact
    text: str


Effects = Mapping[Direction, Effect]
"""The effects by direction; a missing direction is safe."""


def breaks(text: str) -> Effect:
    """Return an effect that breaks the client or server in the text."""
    return Effect(Impact.BREAKS, text)


def depends(text: str) -> Effect:
    """Return an effect that may break, depending on the condition in the text."""
    return Effect(Impact.DEPENDS, text)
