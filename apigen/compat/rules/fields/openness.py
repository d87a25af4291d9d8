"""How a struct treats members that it does not know, before and after."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.surface.types import Struct, UnknownFields
from apigen.dataclass import dataclass

_ORDER = (UnknownFields.REFUSED, UnknownFields.DROPPED, UnknownFields.EMPTIED, UnknownFields.KEPT)


@dataclass(frozen=True, slots=True)
class Step:
    """What becomes of such members on both sides."""

    before: UnknownFields
    after: UnknownFields

    @property
    def opens(self) -> bool:
        """Whether the new side takes more."""
        return _ORDER.index(self.after) > _ORDER.index(self.before)


def steps_of(change: AnyChange) -> Step | None:
    """The step of a struct that both sides have; None for all else."""
    if isinstance(change, Altered) and isinstance(change.old, Struct) and isinstance(change.new, Struct):
        return Step(change.old.unknown, change.new.unknown)
    return None
