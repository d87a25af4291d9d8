"""A value came in two steps: it is known, and not yet accepted."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.enums.known import is_accepted, value_change
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class EnumValueRolledOut(ChangeRule):
    """Tolerated where it is, or behind a gate that is off: nothing gets the value yet."""

    id = "enum-value-rolled-out"
    title = "a new value that is not accepted yet"
    severities = Severities.of("I/I/I")
    explanation = (
        "A value takes two releases: in the first one only objects that have it may keep it, because the gate is off or the value"
        " is tolerated; in the next one all may. So servers of two releases that run side by side agree."
    )
    fix = "accept the value in the next release at the earliest"
    no_witness = "no object gets the value in this release"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims new values that the new side does not accept by default."""
        found = value_change(change, context)
        if found is None or not isinstance(change, Added) or is_accepted(found.value, context.new):
            return None
        gate = found.value.gate
        if gate is not None:
            when = f"where {(' or ' if gate.is_any else ' and ').join(gate.gates)} is switched on"
        else:
            when = f"from {found.value.lifecycle.introduced} on"
        return Verdict(
            f"{found.name} is a new value of `{change.element.type}`, accepted {when}",
            {
                Direction.NEW_CLIENT: depends(f"a new client that sends {found.name} to a server of before is refused"),
                Direction.ROLLBACK: depends(f"the release before refuses an object that got {found.name} {when}"),
            },
        )
