"""Users are sent elsewhere."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.tombstones.echoes import is_echo
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class ReplacementChanged(ChangeRule):
    """It is advice, and changes nothing."""

    id = "replacement-changed"
    title = "what to use instead of something is another thing"
    severities = Severities.of("I/I/I")
    explanation = "The replacement is what servers tell in deprecation warnings. Who followed the old advice is not hurt by a new one."
    fix = "nothing has to be done"
    no_witness = "it is advice, and changes no object"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered):
            return None
        was = "" if change.before is None else f", and was {value_words(change.before)}"
        now = "not said any more" if change.after is None else value_words(change.after)
        message = f"the replacement of {change.element} is {now}{was}"
        return silent(message) if is_echo(change, context) else note(message, self.fix)
