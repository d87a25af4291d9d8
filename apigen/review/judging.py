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
from apigen.review.rules.claiming import select_rule
from apigen.review.rules.rule import ChangeRule
from apigen.review.verdict.impact import Direction, Effect
from apigen.review.verdict.severity import Severities, Severity
from apigen.review.verdict.verdict import Inner, Verdict


@dataclass(frozen=True, slots=True)
class Judged:
    """A change with its rule, and the result after mitigations."""

    rule: ChangeRule
    verdict: Verdict
    stability: Stability
    severity: Severity
    effects: dict[Direction, Effect]
    considered: tuple[MitigationResult, ...]


def judge(change: AnyChange, rules: tuple[ChangeRule, ...], context: Context) -> Judged:
    """Return the result of the first rule that handles a change; `unclassified-change` if no rule does."""
    rule, verdict = select_rule(change, rules, context)
    stability = context.stability(change.element)
    severity = severity_of(verdict, rule.severities, stability)
    considered = _considered(change, (rule, verdict, severity), context)
    effects = dict(verdict.effects)
    for each in considered:
        effects = each.apply_to(effects)
        if each.holds and each.at_most is not None:
            severity = min(severity, each.at_most)
    messages = None if rule.knows_messages else group_messages(change.element, context)
    if messages is not None:
        effects, severity = of_messages(change, messages, effects, severity)
    return Judged(rule, verdict, stability, severity, effects, considered)


def severity_of(verdict: Verdict, severities: Severities, stability: Stability) -> Severity:
    """Return the severity of a result: below an error if it is not verified that anything breaks."""
    found = (verdict.severities or severities).at(stability)
    return min(found, Severity.UNVERIFIED) if verdict.not_verified else found


def _considered(
    change: AnyChange, judged: tuple[ChangeRule, Verdict, Severity], context: Context
) -> tuple[MitigationResult, ...]:
    rule, verdict, severity = judged
    mitigations = (*COMMON, *rule.mitigated_by) if rule.is_excusable else rule.mitigated_by
    weighed = (each.consider(change, verdict, context) for each in mitigations if severity >= each.from_severity)
    return tuple(each for each in weighed if each is not None)


def nested_evaluator(rules: tuple[ChangeRule, ...]) -> Callable[[AnyChange, Context], Inner]:
    """Return the function that evaluates nested changes. Common mitigations are considered for the outer change only."""

    def evaluate(change: AnyChange, context: Context) -> Inner:
        rule, verdict = select_rule(change, rules, context)
        effects, severities = dict(verdict.effects), verdict.severities or rule.severities
        for mitigation in rule.mitigated_by:
            found = mitigation.consider(change, verdict, context)
            if found is not None and found.holds:
                effects = found.apply_to(effects)
                severities = severities if found.at_most is None else severities.capped(found.at_most)
        return Inner(change, verdict, effects, severities)

    return evaluate
