"""The rules of the registry, and the one for what none of them knows."""

from __future__ import annotations

from collections.abc import Container, Mapping

from apigen.compat.rules.documentation.registry import DOCUMENTATION_RULES
from apigen.compat.rules.registry import RULES
from apigen.compat.rules.rule import Rule, StateRule
from apigen.compat.rules.rule_text import RuleText
from apigen.compat.rules.unclassified import UnclassifiedChange

_OF_DOCUMENTATION = frozenset(line.id for line in DOCUMENTATION_RULES)


def all_rules() -> tuple[Rule, ...]:
    """All rules, in the order in which they are asked. It takes all their modules."""
    return (*(line.rule for line in RULES), UnclassifiedChange())


def rule_texts(ids: Container[str]) -> Mapping[str, RuleText]:
    """What is told of the rules of these ids."""
    rules = (*(line.rule for line in RULES if line.id in ids), UnclassifiedChange())
    return {rule.id: _text(rule) for rule in rules if rule.id in ids}


def _text(rule: Rule) -> RuleText:
    return RuleText(
        id=rule.id,
        title=rule.title,
        severities=rule.severities,
        explanation=rule.explanation,
        fix=rule.fix,
        is_of_state=isinstance(rule, StateRule),
        is_of_documentation=rule.id in _OF_DOCUMENTATION,
    )
