"""A type that is new."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import note
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class TypeAdded(ChangeRule):
    """What it does is what the fields do that name it."""

    id = "type-added"
    title = "a type was added"
    severities = Severities.of("I/I/I")
    explanation = "Objects do not name their types: a new one does nothing before a field names it, or a kind, and that is judged there."
    fix = "nothing has to be done"
    no_witness = "nobody had objects of it"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Added):
            return None
        element = change.element
        return note(f"{element.kind} {element.type} is new in {element.group or 'core'}/{element.version}", self.fix)
