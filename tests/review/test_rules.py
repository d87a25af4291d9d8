"""Every rule has a positive, a negative and a near-miss case; without the rule the review of the positive one differs."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import apigen.review.rules
from apigen.review.rules.registry import RULES, all_rules
from apigen.review.rules.rule import Rule
from tests.review.cases import NEAR_MISS, NEGATIVE, POSITIVE, Case, all_cases, evaluated, plain, sides
from tests.review.expectations import expect

ALL = all_cases()
UPDATE = "APIGEN_UPDATE" in os.environ


@pytest.mark.parametrize("case", ALL, ids=[case.name for case in ALL])
def test_review_reports_the_expected_findings(case: Case, tmp_path: Path) -> None:
    surfaces = sides(case, tmp_path)
    found = plain(evaluated(case, surfaces))
    if UPDATE:
        expect(case, found)
    else:
        assert found == case.content.get("expect")
    assert any(each["rule"] == case.rule for each in found) == (case.kind == POSITIVE)
    if case.kind == POSITIVE:
        others = [rule for rule in RULES if rule.id != case.rule]
        assert plain(evaluated(case, surfaces, others)) != found, "it says the same without the rule"


def test_every_rule_has_its_three_cases() -> None:
    kinds: dict[str, set[str]] = {}
    for case in ALL:
        kinds.setdefault(case.rule, set()).add(case.kind)
    assert {rule.id: sorted({POSITIVE, NEGATIVE, NEAR_MISS} - kinds.get(rule.id, set())) for rule in RULES} == {
        rule.id: [] for rule in RULES
    }
    assert set(kinds) <= {rule.id for rule in RULES} and "" not in {case.kind for case in ALL}


def test_ids_are_unique() -> None:
    ids = [rule.id for rule in all_rules()]
    assert len(ids) == len(set(ids))


def test_every_decorated_rule_is_in_the_registry() -> None:
    folder = Path(apigen.review.rules.__file__).parent
    decorator = re.compile(r'_?(?:change|state|disagreement|scalar)_rule\(\s*"([a-z0-9-]+)"')
    written = [id_ for path in folder.rglob("*.py") for id_ in decorator.findall(path.read_text(encoding="utf-8"))]
    assert sorted(rule.id for rule in all_rules()) == sorted(written)


def test_every_section_of_the_prose_belongs_to_a_rule() -> None:
    folder = Path(apigen.review.rules.__file__).parent
    heading = re.compile(r"^## ([a-z0-9-]+): ", re.MULTILINE)
    written = [id_ for path in folder.rglob("*.md") for id_ in heading.findall(path.read_text(encoding="utf-8"))]
    assert sorted(rule.id for rule in all_rules()) == sorted(written)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)
def test_every_rule_explains_itself(rule: Rule) -> None:
    assert all(len(getattr(rule.prose, name)) > 10 for name in ("title", "explanation", "fix"))
