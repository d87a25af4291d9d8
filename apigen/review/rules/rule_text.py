"""Texts of a rule for reports."""

from __future__ import annotations

from collections.abc import Container, Mapping

from apigen.review.results import RuleText, Severity
from apigen.review.rules.registry import DOCUMENTATION_RULES, RULES
from apigen.review.rules.rule import ChangeRule, Rule, StateRule
from apigen.review.rules.rule_selection import unclassified_change

_OF_DOCUMENTATION = frozenset(rule.id for rule in DOCUMENTATION_RULES)


def all_rules() -> tuple[Rule, ...]:
    """Return all rules, in the order of evaluation."""
    return (*RULES, unclassified_change)


def rule_texts(ids: Container[str], form: str) -> Mapping[str, RuleText]:
    """Return the prose of the rules of these ids, with fixes in the words of a form of input, such as `crd`."""
    return {rule.id: _text(rule, form) for rule in all_rules() if rule.id in ids}


def _text(rule: Rule, form: str) -> RuleText:
    prose = rule.prose
    return RuleText(
        id=rule.id,
        title=prose.title,
        severities=rule.severities,
        explanation=prose.explanation,
        fix=prose.fix_for(form),
        is_of_state=isinstance(rule, StateRule),
        is_of_documentation=rule.id in _OF_DOCUMENTATION,
        stops_from=rule.stops_from if isinstance(rule, ChangeRule) else Severity.ERROR,
    )
