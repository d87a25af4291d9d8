"""Each change of the Go sources is found, no others are reported, and the results are those that a careful reviewer
expects.
"""

from __future__ import annotations

import pytest

from apigen.review.results import Severity
from tests.review.kubernetes_history.checking import rows, step
from tests.review.kubernetes_history.page import PAGE, page
from tests.review.kubernetes_history.releases import STEPS
from tests.review.kubernetes_history.truth import CASES, truths

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the shared cases are not next to this repository")

CHANGES = 2010
"""What the tables hold together."""


def test_tables_are_complete() -> None:
    assert sum(len(truths(*each)) for each in STEPS) == CHANGES


@pytest.mark.slow
@pytest.mark.parametrize("pair", STEPS, ids=lambda pair: pair[1])
def test_no_breaking_change_is_missed(pair: tuple[str, str]) -> None:
    assert [outcome.truth.words for outcome in step(*pair).missing] == []


@pytest.mark.parametrize("pair", STEPS, ids=lambda pair: pair[1])
def test_no_finding_without_a_change(pair: tuple[str, str]) -> None:
    assert [f"{type(change).__name__} {change.element}" for change in step(*pair).invented] == []


@pytest.mark.parametrize("pair", STEPS, ids=lambda pair: pair[1])
def test_results_match_the_expectations(pair: tuple[str, str]) -> None:
    assert [problem for _, problems in rows(step(*pair)) for problem in problems] == []


@pytest.mark.parametrize("pair", STEPS, ids=lambda pair: pair[1])
def test_each_error_has_a_reason(pair: tuple[str, str]) -> None:
    assert [f"{each.rule} {each.element}" for each in step(*pair).unexpected] == []
    assert step(*pair).overdue == ()


def test_newly_declared_constraints_were_enforced_before() -> None:
    """No error: the previous release had the same marker, not in force, because hand-written code enforced it."""
    found = step("v0.36.6", "v0.37.2")
    markers = {
        (truth.group, truth.version, truth.type, truth.member): [str(each) for each in truth.said.get("removed", ())]
        for truth in truths("v0.36.6", "v0.37.2")
        if truth.kind == "field-markers-changed"
    }
    restricted = [each for each in found.findings if each.rule == "update-restricted"]
    places = [(each.element.group, each.element.version, each.element.type, each.element.path) for each in restricted]
    before = [markers[place] for place in places]
    assert restricted
    assert not [each for each in restricted if each.severity is Severity.ERROR]
    assert all(any("immutable" in marker or "update" in marker for marker in each) for each in before)


@pytest.mark.parametrize("pair", STEPS, ids=lambda pair: pair[1])
def test_every_change_is_classified(pair: tuple[str, str]) -> None:
    assert [each.result.message for each in step(*pair).findings if each.rule == "unclassified-change"] == []


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "write it: python -m tests.review.kubernetes_history --write"
