"""Selects the rule that handles a change."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from apigen.review.changes.change import Altered, AnyChange, Trait
from apigen.review.context import Context
from apigen.review.results.rule_result import RuleResult
from apigen.review.rules.rule import ChangeRule
from apigen.review.rules.unclassified import unclassified, unclassified_change
from apigen.review.surface import ElementKind


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
