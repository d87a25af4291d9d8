"""What the release that is being made writes by default, and the one before it does not keep."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.history.rollback import Rollback, RollbackLoss, rollback_of
from apigen.rules.evolution.evolution import Evolution


def rollback_to_newest(evolution: Evolution) -> Rollback | None:
    """The step back to the newest recorded release before the one in the making, which may be recorded in part already.

    None where there is none, or nobody knows what follows it.
    """
    release = evolution.release
    newest = max((each for each in evolution.history.releases if release and each < release), default=None)
    if newest is None or release is None:
        return None
    own = (group for group in evolution.now.groups if group.folder in evolution.groups)
    return rollback_of(evolution.now, release, evolution.history.api(newest), newest, own)


def losses_to_newest(evolution: Evolution) -> Iterator[RollbackLoss]:
    """What that step loses."""
    rollback = rollback_to_newest(evolution)
    return iter(() if rollback is None else rollback.losses)
