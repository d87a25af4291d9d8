"""A value came to an enum that said that it may grow."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import added
from apigen.compat.rules.enums.added_hits import added_hits, example
from apigen.compat.rules.enums.known import may_grow, value_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "enum-value-added-to-growing", added(ElementKind.ENUM_VALUE), severities="I/I/W", mitigated_by=(RatchetingBefore(),)
)
def enum_value_added_to_growing(change: AnyChange, context: Context) -> Verdict | None:
    """Clients were told: `unknown:` says what to take the value for, `open: true` that any text is good."""
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
