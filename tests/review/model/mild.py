"""Rules that are weakened on purpose, to show that the trials notice it."""

from __future__ import annotations

from apigen.dataclass import replace
from apigen.review.changes.change import AnyChange
from apigen.review.context import Context
from apigen.review.results import RuleResult
from apigen.review.rules.registry import RULES
from apigen.review.rules.rule import ChangeRule, Rule


def mild(id_: str) -> tuple[Rule, ...]:
    """Return all rules, of which one reports no effect."""

    def without_effect(rule: ChangeRule) -> ChangeRule:
        def evaluate(change: AnyChange, context: Context) -> RuleResult | None:
            found = rule.evaluate(change, context)
            return None if found is None else replace(found, effects={}, examples=())

        return replace(rule, evaluate=evaluate)

    return tuple(without_effect(rule) if isinstance(rule, ChangeRule) and rule.id == id_ else rule for rule in RULES)
