"""What a review of `.proto` files calls safe is safe: made-up pairs, tried with python's protobuf."""

from __future__ import annotations

import pytest

from apigen.compat.rules.numbers.default_of_readers_changed import DefaultOfReadersChanged
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.types.integer_narrowed import IntegerNarrowed
from apigen.compat.verdict.verdict import Verdict
from tests.compat.proto.model.trying import batch

PAIRS = 150


@pytest.mark.parametrize("seed", range(6))
def test_safe_is_safe(seed: int) -> None:
    tried = batch(seed, PAIRS)
    assert tried.pairs == PAIRS
    assert [f"{each.directions}: {each.what}\n{each.findings}\n{each.old}\n{each.new}" for each in tried.unsound] == []


@pytest.mark.parametrize("rule", [DefaultOfReadersChanged, IntegerNarrowed])
def test_a_rule_that_is_too_mild_is_found(rule: type[ChangeRule], monkeypatch: pytest.MonkeyPatch) -> None:
    strict = rule.judge

    def mild(self: ChangeRule, *given: object) -> Verdict | None:
        verdict = strict(self, *given)  # type: ignore[arg-type]
        return verdict and Verdict(verdict.message, {})

    monkeypatch.setattr(rule, "judge", mild)
    found = (each for seed in range(12) for each in batch(seed, PAIRS).unsound)
    assert any(finding.startswith(rule.id) for each in found for finding in each.findings)
