"""Each rule about changes declares as parameters the changes that `applies_to` selects, which no type checker verifies."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

from apigen.review.rules.registry import RULES
from apigen.review.rules.rule import ChangeRule

CHANGE_RULES = [rule for rule in RULES if isinstance(rule, ChangeRule)]


@pytest.mark.parametrize("rule", CHANGE_RULES, ids=lambda rule: rule.id)
def test_rule_accepts_the_changes_it_applies_to(rule: ChangeRule) -> None:
    declared = get_type_hints(rule.evaluate)["change"]
    assert set(get_args(declared) or (declared,)) == {claim.how for claim in rule.applies_to}
