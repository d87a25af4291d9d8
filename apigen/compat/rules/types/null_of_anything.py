"""Whether null comes or goes with a type that takes everything."""

from __future__ import annotations

from apigen.compat.changes.change import Altered
from apigen.compat.surface.types import Scalar, Scalars, Slot

_ANYTHING = Scalar(Scalars.ANYTHING)


def is_told_by_type(change: Altered) -> bool:
    """Whether the change of the type, which is told by itself with all that comes with it, is what lets null in or keeps it out."""
    if not isinstance(change.old, Slot) or not isinstance(change.new, Slot):
        return False
    wide, other = (change.new, change.old) if change.after else (change.old, change.new)
    return wide.type == _ANYTHING and other.type != _ANYTHING
