"""What a review of `.proto` files calls safe is safe: random pairs, tried with python's protobuf."""

from __future__ import annotations

import pytest

from tests.review.model.mild import mild
from tests.review.proto.model.trying import batch

PAIRS = 150


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_safe_changes_are_safe_at_run_time(seed: int) -> None:
    tried = batch(seed, PAIRS)
    assert tried.pairs == PAIRS
    assert [f"{each.directions}: {each.what}\n{each.findings}\n{each.old}\n{each.new}" for each in tried.unsound] == []


@pytest.mark.slow
@pytest.mark.parametrize("id_", ["default-of-readers-changed", "integer-narrowed"])
def test_rule_with_too_low_severity_is_detected(id_: str) -> None:
    rules = mild(id_)
    found = (each for seed in range(12) for each in batch(seed, PAIRS, rules).unsound)
    assert any(finding.startswith(id_) for each in found for finding in each.findings)
