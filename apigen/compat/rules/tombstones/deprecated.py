"""Something is deprecated, or was."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.tombstones.echoes import is_echo
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class Deprecated(ChangeRule):
    """It is there as ever; users are told."""

    id = "deprecated"
    title = "something was deprecated, or in another release"
    severities = Severities.of("I/I/I")
    explanation = "Deprecation breaks nobody: it says that something will end, and lets users move in time."
    fix = "tell users what to use instead: `replacement:`"
    no_witness = "what is deprecated works as ever"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered) or not change.after:
            return None
        message = f"{change.element} is deprecated{_since(change)}"
        return silent(message) if is_echo(change, context) else note(message, self.fix)


def _since(change: Altered) -> str:
    after = "" if change.after is True else f" in {value_words(change.after)}"
    before = "" if change.before in (None, False, True) else f", and was in {value_words(change.before)}"
    return f"{after}{before}"
