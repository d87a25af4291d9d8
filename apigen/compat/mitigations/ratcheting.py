"""Validation that leaves alone what it has accepted before."""

from __future__ import annotations

from typing import ClassVar

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.asked_of_what_stays import ASKED_OF_WHAT_STAYS, is_asked_of_what_stays
from apigen.compat.mitigations.mitigation import Considered, Mitigation
from apigen.compat.verdict.impact import Direction
from apigen.compat.verdict.severity import Severity
from apigen.compat.verdict.verdict import Verdict

_TIGHTENED = frozenset({Direction.OLD_CLIENT, Direction.STORED})


class Ratcheting(Mitigation):
    """An update that leaves a value as it is stored is not judged for it, so what is stored stays usable.

    A change that only tightens is then `at_most` a warning, as in Kubernetes' own releases; one that hurts new clients
    or a rollback, too, stays what it is.
    """

    name = "ratcheting"
    at_most: ClassVar[Severity | None] = Severity.WARNING

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> Considered | None:
        """Whether the new side ratchets; None where what is stored was not concerned."""
        if Direction.STORED not in verdict.hits:
            return None
        if not context.new.ratchets:
            reason = "nothing says that validation leaves alone what an update leaves as it was"
            return Considered(self.name, False, reason)
        if is_asked_of_what_stays(change):
            return Considered(self.name, False, ASKED_OF_WHAT_STAYS)
        reason = "validation does not judge again what an update leaves as it was"
        at_most = self.at_most if verdict.hits.keys() <= _TIGHTENED else None
        return Considered(self.name, True, reason, frozenset({Direction.STORED}), at_most=at_most)


class RatchetingOfEnum(Ratcheting):
    """Of values that an enum accepts no longer: what is stored stays usable, and clients were promised each value by its name.

    A value that was accepted is accepted for ever. (Kubernetes, api_changes.md: removing one needs a new version)
    """

    at_most = None
