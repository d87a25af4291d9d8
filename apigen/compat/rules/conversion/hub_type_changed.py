"""A type has another name in the hub."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import note
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.preset import Preset
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class HubTypeChanged(ChangeRule):
    """The hub is never written: only code sees it."""

    id = "hub-type-changed"
    title = "a type is called otherwise in the hub"
    severities = Severities.of("I/W/W")
    explanation = (
        "Hub objects are neither sent nor stored. Code of the server that names the class of the hub has to name the new one (preset"
        " `source`); clients see nothing."
    )
    fix = "rename the class where the server's code uses it"
    no_witness = "the hub is never written"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered):
            return None
        before, after = (value_words(each or change.element.type) for each in (change.before, change.after))
        message = f"{change.element.type} of {change.element.version} is {after} in the hub, and was {before}"
        if context.preset is not Preset.SOURCE:
            return note(message, "nothing")
        hit = depends(f"code of the server that names the hub's class {before} does not load")
        return Verdict(message, {Direction.OLD_CLIENT: hit}, self.fix)
