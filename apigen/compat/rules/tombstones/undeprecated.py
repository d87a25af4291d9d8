"""Something is not deprecated any more."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.tombstones.echoes import is_echo
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class Undeprecated(ChangeRule):
    """Who moved away did so for nothing."""

    id = "undeprecated"
    title = "something is not deprecated any more"
    severities = Severities.of("I/I/I")
    explanation = (
        "What stays after all breaks nobody. Users who were told that it ends deserve to hear that it does not."
    )
    fix = "say in the release notes that it stays"
    no_witness = "it works as ever"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered) or change.after:
            return None
        message = f"{change.element} is not deprecated any more"
        return silent(message) if is_echo(change, context) else note(message, self.fix)
