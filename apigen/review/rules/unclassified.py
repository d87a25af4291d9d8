"""The rule for changes that no other rule handles."""

from __future__ import annotations

from apigen.review.changes.change import AnyChange
from apigen.review.changes.words import change_words
from apigen.review.context import Context
from apigen.review.results.impact import Direction, breaks
from apigen.review.results.preset import WIRE
from apigen.review.results.rule_result import RuleResult
from apigen.review.rules.rule import change_rule


@change_rule("unclassified-change", severities="E/E/E", presets=WIRE, is_excusable=False)
def unclassified_change(change: AnyChange, context: Context) -> RuleResult:
    """A change that no rule handles breaks in every direction: an unknown change is not treated as safe."""
    return unclassified(change)


def unclassified(change: AnyChange) -> RuleResult:
    """Return the result for a change that no rule handles."""
    effect = breaks("the effect of the change is unknown")
    return RuleResult(f"{change_words(change)}, which no rule handles", dict.fromkeys(Direction, effect))
