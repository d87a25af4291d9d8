"""What the release that is being made writes by default, and the one before it does not keep."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.history.rollback import Rollback, RollbackLoss, rollback_of
from apigen.rules.evolution.evolution import Evolution


def rollback_to_newest(evolution: Evolution) -> Rollback | None:
    """The step back to the newest recorded release; None where there is none, or nobody knows what follows it."""
    before, newest = evolution.before, evolution.history.newest
    if before is None or newest is None or evolution.release is None:
        return None
    own = (group for group in evolution.now.groups if group.folder in evolution.groups)
    return rollback_of(evolution.now, evolution.release, before, newest, own)


def losses_to_newest(evolution: Evolution) -> Iterator[RollbackLoss]:
    """What that step loses."""
    rollback = rollback_to_newest(evolution)
    return iter(() if rollback is None else rollback.losses)
