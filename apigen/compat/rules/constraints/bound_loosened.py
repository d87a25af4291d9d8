"""A bound went, or became looser."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.constraints.compared import compared, constraint_change
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.constraints.words import BOUNDS, change_in_words
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class BoundLoosened(ChangeRule):
    """A value that was refused is accepted, and meets who still refuses it."""

    id = "bound-loosened"
    title = "a bound that accepts what was refused"
    severities = Severities.of("I/W/W")
    explanation = (
        "During an upgrade, and after a rollback, servers of the release before meet values that only the new one accepts: they"
        " refuse the updates of such objects. Clients may rely on the bound. Kubernetes loosens validation in two releases, first"
        " for objects that have the value already."
    )
    fix = "accept the values in updates of objects that have them for a release, then everywhere"
    mitigations = (RatchetingBefore(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims bounds that are not proven to accept no more than before."""
        found = constraint_change(change, *BOUNDS)
        if found is None:
            return None
        both = compared(found, context)
        return verdict_of(change_in_words(found), both) if both.loosens else None
