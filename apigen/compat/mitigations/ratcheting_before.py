"""Validation of the release before that leaves alone what it finds stored."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.asked_of_what_stays import ASKED_OF_WHAT_STAYS, is_asked_of_what_stays
from apigen.compat.mitigations.mitigation import Considered, Mitigation
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction
from apigen.compat.verdict.verdict import Verdict

_BACK = frozenset({Direction.ROLLBACK})


class RatchetingBefore(Mitigation):
    """After a rollback, objects that the new release stored can be updated, as long as the value stays what it is.

    The mirror of `Ratcheting`: it is for changes that loosen, and hurts nothing of what clients of either side meet. A value of
    an enum is kept likewise, but the release before does not know what to do about it.
    """

    name = "ratcheting before"

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> Considered | None:
        """Whether the old side ratchets; None where it does not, or a rollback was not concerned."""
        if Direction.ROLLBACK not in verdict.hits or not context.old.ratchets:
            return None
        if is_asked_of_what_stays(change):
            return Considered(self.name, False, ASKED_OF_WHAT_STAYS)
        reason = "the release before does not judge again what an update leaves as it was"
        if change.element.kind is ElementKind.ENUM_VALUE:
            return Considered(self.name, True, f"{reason}, but does not know the value", softens=_BACK)
        return Considered(self.name, True, reason, clears=_BACK)
