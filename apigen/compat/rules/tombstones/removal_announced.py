"""Something is to go, at a time that was not said before or is later."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.tombstones.echoes import is_echo
from apigen.compat.rules.tombstones.gone_before import gone_before_hits
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class RemovalAnnounced(ChangeRule):
    """Users know until when they have time."""

    id = "removal-announced"
    title = "the end of something was announced, put off or called off"
    severities = Severities.of("I/I/I")
    explanation = "An announced end breaks nobody before it comes. Whether it is far enough away is judged by `removal-before-window`."
    fix = "tell users what to use instead: `replacement:`"
    no_witness = "what is announced works as ever until then"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered):
            return None
        if change.after is None:
            message = f"{change.element} was to go in {value_words(change.before)}, and stays"
        else:
            was = "" if change.before is None else f", and was to go in {value_words(change.before)}"
            message = f"{change.element} is to go in {value_words(change.after)}{was}"
        if is_echo(change, context):
            return silent(message)
        hits = gone_before_hits(change, context)
        return Verdict(message, hits, self.fix) if hits else note(message, self.fix)
