"""A rule is found by its id, with and without the others."""

from __future__ import annotations

from apigen.review.explaining import rule_explanation, rule_ids, rule_named
from apigen.review.rules.registry import all_rules


def test_each_rule_is_found_by_its_id() -> None:
    rules = {rule.id: rule for rule in all_rules()}
    assert tuple(rules) == rule_ids()
    for id_, rule in rules.items():
        found = rule_named(id_.upper())
        assert type(found) is type(rule)
        assert found is not None and rule_explanation(found) == rule_explanation(rule)


def test_unknown_rule_is_not_found() -> None:
    for name in ("", "rule", "registry", "../rules", "known", "tombstones/stones"):
        assert rule_named(name) is None
