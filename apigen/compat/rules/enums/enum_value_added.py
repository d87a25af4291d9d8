"""A value came to an enum that did not say that it would."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.enums.added_hits import added_hits, example
from apigen.compat.rules.enums.known import value_change
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class EnumValueAdded(ChangeRule):
    """The last rule about new values: nothing softens it."""

    id = "enum-value-added"
    title = "a new value of an enum that nobody said would grow"
    severities = Severities.of("I/W/E")
    explanation = (
        "Clients that handle all values of an enum meet one that they do not know. Servers of the release before refuse it: beside"
        " the new ones during an upgrade, and after a rollback. Kubernetes' API changes call a new value of an enum incompatible,"
        " unless clients were told from the first release on what to make of one they do not know."
    )
    fix = "tolerate the value for a release before it is accepted, or put it behind a gate that is off; and say `unknown:` in the enum"
    mitigations = (RatchetingBefore(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims new values that every object may have at once."""
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
