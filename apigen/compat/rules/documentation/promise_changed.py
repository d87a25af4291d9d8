"""A description promises, or asks for, another thing."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.documentation.promises import changed
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_SHOWN = 6


class PromiseChanged(ChangeRule):
    """What is not in the schema is in the description, and people hold on to it."""

    id = "promise-changed"
    title = "a description changed in words of duty, units or defaults"
    severities = Severities.of("W/W/W")
    explanation = (
        "MUST, units and defaults in a description are part of the API where no schema says them. Whether the meaning changed with"
        " the words takes a reader: nobody else finds it."
    )
    fix = "see that the behaviour is what it was; what changed takes a new field, a gate or a new version"
    is_excusable = False
    no_witness = "words of a description change no object"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered) or change.before is None or change.after is None:
            return None
        words = changed(str(change.before), str(change.after))
        if not words:
            return None
        said = ", ".join(words[:_SHOWN]) + (" and more" if len(words) > _SHOWN else "")
        hit = depends("on whether the behaviour changed with the words")
        return Verdict(
            f"the description of {change.element} changed in what it promises: {said}",
            {Direction.OLD_CLIENT: hit},
            self.fix,
        )
