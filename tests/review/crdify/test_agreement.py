"""Every difference from crdify has a reason, and findings with a lower severity than there are safe."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from apigen.review.rules.registry import RULES
from tests.review.crdify.given import ROOT, Case, cases
from tests.review.crdify.mapping import RULES_OF
from tests.review.crdify.outcome import AGREED, MILDER, outcome
from tests.review.crdify.page import PAGE, page
from tests.review.crdify.reasons import REASONS, TRIED_ELSEWHERE
from tests.review.crdify.trying import tried

ABSENT = "the cases are in ../shared"
ALL = cases() if ROOT.exists() else []
COMPARED = [case for case in ALL if case.part == "e2e" or (case.part == "unit" and "Removal" not in case.name)]

pytestmark = pytest.mark.skipif(not ROOT.exists() and "APIGEN_NO_SKIPS" not in os.environ, reason=ABSENT)


def test_number_of_cases() -> None:
    assert [sum(case.part == part for case in ALL) for part in ("e2e", "unit", "served")] == [22, 82, 14]


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_every_difference_has_a_reason(case: Case, tmp_path: Path) -> None:
    differing = {line.key for line in outcome(case, tmp_path) if line.agreement != AGREED}
    assert differing == set(REASONS.get(case.name, {}))


@pytest.mark.parametrize("case", COMPARED, ids=lambda case: case.name)
def test_safe_changes_are_safe_at_run_time(case: Case, tmp_path: Path) -> None:
    run = tried(case, tmp_path)
    assert run.is_sound, run
    if any(line.agreement == MILDER for line in outcome(case, tmp_path)) and case.name not in TRIED_ELSEWHERE:
        assert run.forth.objects and not run.forth.rejected


def test_the_mapping_names_rules() -> None:
    assert {name for names in RULES_OF.values() for name in names} <= {rule.id for rule in RULES}


def test_reasons_are_for_cases() -> None:
    assert set(REASONS) <= {case.name for case in ALL}


@pytest.mark.slow
def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
