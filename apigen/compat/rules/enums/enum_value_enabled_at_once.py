"""A value came behind a gate that is on."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import added
from apigen.compat.rules.enums.added_hits import added_hits, example
from apigen.compat.rules.enums.known import is_accepted, value_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "enum-value-enabled-at-once", added(ElementKind.ENUM_VALUE), severities="I/W/E", mitigated_by=(RatchetingBefore(),)
)
def enum_value_enabled_at_once(change: AnyChange, context: Context) -> Verdict | None:
    """A gate that is on from the beginning protects nobody."""
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
