"""A field that lists could be filtered by is not one any more."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.lifecycle.entries import Entries
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import note
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class SelectableFieldRemoved(ChangeRule):
    """A list with that selector is refused."""

    id = "selectable-field-removed"
    title = "a selectable field was removed, or added"
    severities = Severities.of("I/I/W")
    explanation = (
        "A server refuses a field selector that it does not know (`field label not supported`): clients that watch by it see"
        " nothing at all. One that is new is refused by servers of before."
    )
    fix = "keep the selectable field; it costs nothing"
    no_witness = "selectors stand in requests, not in objects"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered):
            return None
        entries = Entries.of(change)
        message = f"selectable fields of {change.element.type} changed: {entries.words}"
        if entries.gone:
            label = entries.gone[0].split(":")[0]
            hit = depends(f"a client that selects by {label} is refused")
            return Verdict(message, {Direction.OLD_CLIENT: hit}, self.fix, f"selectableFields: {{{entries.gone[0]}}}")
        return note(message, "nothing")
