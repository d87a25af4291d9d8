"""A value came to an enum that said that it may grow."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.enums.added_hits import added_hits, example
from apigen.compat.rules.enums.known import may_grow, value_change
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class EnumValueAddedToGrowing(ChangeRule):
    """Clients were told: `unknown:` says what to take the value for, `open: true` that any text is good."""

    id = "enum-value-added-to-growing"
    title = "a new value of an enum that said that it may grow"
    severities = Severities.of("I/I/W")
    explanation = (
        "Clients were told from before what to make of a value that they do not know, so reading is no surprise. Servers of the"
        " release before still refuse the value where the enum is not open: during an upgrade, and after a rollback."
    )
    fix = "tolerate the value for a release before it is accepted, or put it behind a gate that is off"
    mitigations = (RatchetingBefore(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims new values of enums that the old side calls open, or for which it says what is unknown."""
        found = value_change(change, context)
        if found is None or not isinstance(change, Added) or not may_grow(found.old):
            return None
        assert found.old is not None
        how = "any text" if found.old.open else f"what it does not know for `{found.old.unknown}`"
        return Verdict(
            f"{found.name} is a new value of `{change.element.type}`, of which a client of before takes {how}",
            added_hits(found, context),
            examples=example(found),
        )
