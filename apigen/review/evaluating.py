"""Select the rule for a change, and apply mitigations to its result."""

from __future__ import annotations

from collections.abc import Callable

from apigen.dataclass import dataclass
from apigen.ir.stability import Stability
from apigen.review.changes.change import AnyChange
from apigen.review.context import Context
from apigen.review.messages import group_messages, of_messages
from apigen.review.mitigations.mitigation import MitigationResult
from apigen.review.mitigations.registry import COMMON
from apigen.review.results import Direction, Effect, NestedChange, RuleResult, Severities, Severity
from apigen.review.rules.rule import ChangeRule
from apigen.review.rules.rule_selection import select_rule


@dataclass(frozen=True, slots=True)
class EvaluatedChange:
    """A change with its rule, and the result after mitigations."""

    rule: ChangeRule
    result: RuleResult
    stability: Stability
    severity: Severity
    effects: dict[Direction, Effect]
    considered: tuple[MitigationResult, ...]


def evaluate_change(change: AnyChange, rules: tuple[ChangeRule, ...], context: Context) -> EvaluatedChange:
    """Return the result of the first rule that handles a change; `unclassified-change` if no rule does."""
    rule, result = select_rule(change, rules, context)
    stability = context.stability(change.element)
    severity = severity_of(result, rule.severities, stability)
    considered = _considered(change, (rule, result, severity), context)
    effects = dict(result.effects)
    for each in considered:
        effects = each.apply_to(effects)
        if each.holds and each.at_most is not None:
            severity = min(severity, each.at_most)
    messages = None if rule.knows_messages else group_messages(change.element, context)
    if messages is not None:
        effects, severity = of_messages(change, messages, effects, severity)
    return EvaluatedChange(rule, result, stability, severity, effects, considered)


def severity_of(result: RuleResult, severities: Severities, stability: Stability) -> Severity:
    """Return the severity of a result: below an error if it is not verified that anything breaks."""
    found = (result.severities or severities).at(stability)
    return min(found, Severity.UNVERIFIED) if result.not_verified else found


def _considered(
    change: AnyChange, result_of_rule: tuple[ChangeRule, RuleResult, Severity], context: Context
) -> tuple[MitigationResult, ...]:
    rule, result, severity = result_of_rule
    mitigations = (*COMMON, *rule.mitigated_by) if rule.is_excusable else rule.mitigated_by
    weighed = (each.consider(change, result, context) for each in mitigations if severity >= each.from_severity)
    return tuple(each for each in weighed if each is not None)


def nested_evaluator(rules: tuple[ChangeRule, ...]) -> Callable[[AnyChange, Context], NestedChange]:
    """Return the function that evaluates nested changes. Common mitigations are considered for the outer change only."""

    def evaluate(change: AnyChange, context: Context) -> NestedChange:
        rule, result = select_rule(change, rules, context)
        effects, severities = dict(result.effects), result.severities or rule.severities
        for mitigation in rule.mitigated_by:
            found = mitigation.consider(change, result, context)
            if found is not None and found.holds:
                effects = found.apply_to(effects)
                severities = severities if found.at_most is None else severities.capped(found.at_most)
        return NestedChange(change, result, effects, severities)

    return evaluate
