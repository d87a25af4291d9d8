"""A value came to an enum that did not say that it would."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import added
from apigen.compat.rules.enums.added_hits import added_hits, example
from apigen.compat.rules.enums.known import value_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.verdict import Verdict


@change_rule("enum-value-added", added(ElementKind.ENUM_VALUE), severities="I/W/E", mitigated_by=(RatchetingBefore(),))
def enum_value_added(change: AnyChange, context: Context) -> Verdict | None:
    """The last rule about new values: nothing softens it."""
    found = value_change(change, context)
    if found is None or not isinstance(change, Added):
        return None
    closed = found.old is not None and found.old.closed
    why = ", which said that it never gets another one" if closed else ", which did not say that it may grow"
    return Verdict(
        f"{found.name} is a new value of `{change.element.type}`{why}",
        added_hits(found, context),
        patch=f'{found.value.value}: {{tolerated: "<this release>", introduced: "<the next one>"}}',
        examples=example(found),
    )
