"""What the release that is being made writes by default, and the one before it does not keep."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.history.rollback import RollbackLoss, rollback_losses
from apigen.rules.evolution.evolution import Evolution


def losses_to_newest(evolution: Evolution) -> Iterator[RollbackLoss]:
    """What the release that is being made writes by default and the newest recorded one does not keep."""
    before = evolution.before
    if before is None or evolution.release is None:
        return
    own = (group for group in evolution.now.groups if group.folder in evolution.groups)
    yield from rollback_losses(evolution.now, before, evolution.release, own)
