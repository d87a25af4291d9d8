"""A description says it in other words."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import note
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class DescriptionChanged(ChangeRule):
    """It changes no object."""

    id = "description-changed"
    title = "a description was added, changed or removed"
    severities = Severities.of("I/I/I")
    explanation = (
        "Descriptions are for people: another one changes no object and no answer. It is told in a section of its own."
    )
    fix = "nothing has to be done"
    is_excusable = False
    no_witness = "words of a description change no object"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered):
            return None
        how = "was added" if change.before is None else "was removed" if change.after is None else "changed"
        return note(f"the description of {change.element} {how}", self.fix)
