"""A value came behind a gate that is on."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.enums.added_hits import added_hits, example
from apigen.compat.rules.enums.known import is_accepted, value_change
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class EnumValueEnabledAtOnce(ChangeRule):
    """A gate that is on from the beginning protects nobody."""

    id = "enum-value-enabled-at-once"
    title = "a new value whose gate is on already"
    severities = Severities.of("I/W/E")
    explanation = (
        "A gate is there to keep a value back for a release, until all servers know it. One that is on in the release that brings"
        " the value lets objects have it that servers of the release before refuse."
    )
    fix = "let the gate be off in this release, and on in the next one"
    mitigations = (RatchetingBefore(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims new values with a gate that is on by default, or unknown."""
        found = value_change(change, context)
        if found is None or not isinstance(change, Added) or found.value.gate is None:
            return None
        if not is_accepted(found.value, context.new, change.element.group):
            return None
        gates = " and ".join(found.value.gate.gates)
        return Verdict(
            f"{found.name} is a new value of `{change.element.type}`, and its gate {gates} is on at once",
            added_hits(found, context),
            examples=example(found),
        )
