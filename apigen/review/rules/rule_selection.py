"""Selects the rule that handles a change; the rule for changes that no other rule handles."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from apigen.review.changes.change import Altered, AnyChange, Trait
from apigen.review.changes.words import change_words
from apigen.review.context import Context
from apigen.review.results import WIRE, Direction, RuleResult, breaks
from apigen.review.rules.rule import ChangeRule, change_rule
from apigen.review.surface import ElementKind


@change_rule("unclassified-change", severities="E/E/E", presets=WIRE, is_excusable=False)
def unclassified_change(change: AnyChange, context: Context) -> RuleResult:
    """A change that no rule handles breaks in every direction: an unknown change is not treated as safe."""
    return unclassified(change)


def unclassified(change: AnyChange) -> RuleResult:
    """Return the result for a change that no rule handles."""
    effect = breaks("the effect of the change is unknown")
    return RuleResult(f"{change_words(change)}, which no rule handles", dict.fromkeys(Direction, effect))


class _KindOfChange(NamedTuple):
    how: type[AnyChange]
    kind: ElementKind
    trait: Trait | None


def select_rule(change: AnyChange, rules: tuple[ChangeRule, ...], context: Context) -> tuple[ChangeRule, RuleResult]:
    """Return the first rule that handles a change, with its result; `unclassified-change` if no rule does."""
    trait = change.trait if isinstance(change, Altered) else None
    for rule in _applicable(rules, _KindOfChange(type(change), change.element.kind, trait)):
        result = rule.evaluate(change, context)
        if result is not None:
            return rule, result
    return unclassified_change, unclassified(change)


@lru_cache(maxsize=4096)
def _applicable(rules: tuple[ChangeRule, ...], kind: _KindOfChange) -> tuple[ChangeRule, ...]:
    """Cached, because there are far fewer kinds of change than changes."""
    return tuple(rule for rule in rules if any(claim.fits(*kind) for claim in rule.applies_to))
