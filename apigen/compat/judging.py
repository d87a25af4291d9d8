"""Finds the rule that a change is for, and weighs its verdict with what makes it milder."""

from __future__ import annotations

from dataclasses import dataclass

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.mitigation import Considered
from apigen.compat.mitigations.registry import COMMON
from apigen.compat.rules.claiming import claiming
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.unclassified import UnclassifiedChange
from apigen.compat.verdict.impact import Direction, Hit, Impact
from apigen.compat.verdict.severity import Severity
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.stability import Stability

_UNCLASSIFIED = UnclassifiedChange()


@dataclass(frozen=True, slots=True)
class Judged:
    """A change with the rule that claimed it, and what is left of its verdict after mitigations."""

    rule: ChangeRule
    verdict: Verdict
    stability: Stability
    severity: Severity
    hits: dict[Direction, Hit]
    considered: tuple[Considered, ...]


def judge(change: AnyChange, rules: tuple[ChangeRule, ...], context: Context) -> Judged:
    """The verdict on a change, of the first rule that has one; of none: that it is not classified."""
    rule, verdict = _claimed(change, rules, context)
    stability = context.stability(change.element)
    severity = (verdict.severities or rule.severities).at(stability)
    considered = _considered(change, rule, verdict, context)
    hits = dict(verdict.hits)
    for each in considered:
        if each.holds:
            hits = {
                direction: _softened(hit, direction, each)
                for direction, hit in hits.items()
                if direction not in each.clears
            }
            severity = severity if each.at_most is None else min(severity, each.at_most)
    return Judged(rule, verdict, stability, severity, hits, considered)


def _considered(change: AnyChange, rule: ChangeRule, verdict: Verdict, context: Context) -> tuple[Considered, ...]:
    mitigations = (*COMMON, *rule.mitigations) if rule.is_excusable else rule.mitigations
    weighed = (mitigation.consider(change, verdict, context) for mitigation in mitigations)
    return tuple(each for each in weighed if each is not None)


def _softened(hit: Hit, direction: Direction, by: Considered) -> Hit:
    return Hit(Impact.DEPENDS, hit.text) if direction in by.softens else hit


def _claimed(change: AnyChange, rules: tuple[ChangeRule, ...], context: Context) -> tuple[ChangeRule, Verdict]:
    for rule in claiming(rules, change):
        verdict = rule.judge(change, context)
        if verdict is not None:
            return rule, verdict
    return _UNCLASSIFIED, _UNCLASSIFIED.judge(change, context)
