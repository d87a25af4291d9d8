"""The rule for changes that no other rule knows."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.changes.words import change_words
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class UnclassifiedChange(ChangeRule):
    """Claims whatever is left: what nobody has judged is not taken for safe."""

    id = "unclassified-change"
    title = "a change that no rule knows"
    severities = Severities.of("E/E/E")
    explanation = (
        "Two sides differ in a way that no rule of this version of apigen judges. A reviewer that passes what it does not know"
        " is worse than none, so it is an error that shows both sides."
    )
    fix = "judge it yourself, approve it with the reason, and tell the authors of apigen"
    no_witness = "nobody knows yet what the change does"
    presets = WIRE
    is_excusable = False

    def judge(self, change: AnyChange, context: Context) -> Verdict:
        """Takes the worst for granted."""
        hit = breaks("nobody knows what this does")
        return Verdict(f"{change_words(change)}, which no rule knows", dict.fromkeys(Direction, hit), self.fix)
