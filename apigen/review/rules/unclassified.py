"""The rule for changes that no other rule handles."""

from __future__ import annotations

from apigen.review.changes.change import AnyChange
from apigen.review.changes.words import change_words
from apigen.review.context import Context
from apigen.review.rules.rule import change_rule
from apigen.review.verdict.impact import Direction, breaks
from apigen.review.verdict.preset import WIRE
from apigen.review.verdict.verdict import Verdict


@change_rule("unclassified-change", severities="E/E/E", presets=WIRE, is_excusable=False)
def unclassified_change(change: AnyChange, context: Context) -> Verdict:
    """A change that no rule handles breaks in every direction: an unknown change is not taken for safe."""
    return unclassified(change)


def unclassified(change: AnyChange) -> Verdict:
    """Return the verdict on a change that no rule handles."""
    effect = breaks("nobody knows what this does")
    return Verdict(f"{change_words(change)}, which no rule knows", dict.fromkeys(Direction, effect))
