"""`APIGEN_UPDATE=1` replaces the expectation of one case; the other text of the file keeps its bytes."""

from __future__ import annotations

import pytest

from tests.review.cases import Case, all_cases
from tests.review.expectations import with_expectation
from tests.yaml_files import read_yaml

FOUND = [{"rule": "field-removed", "lines": [4, 0]}]
BLOCK = "  expect:\n    - rule: field-removed\n      lines:\n      - 4\n      - 0\n"
BEFORE = """\
# the cases of a rule
positive:
  base:
    a.proto: |
      syntax = "proto3";  // kept
"""
AFTER = """\
# a comment between two cases
"near-miss":
  base: {types: {}} # another one
  expect: []
"""


@pytest.mark.parametrize(
    "old",
    [
        "",
        "  expect: []\n",
        "  expect: [] # nothing\n",
        "  expect:\n",
        "  expect:\n  - rule: field-added\n    message: long\n      text\n",
        "  expect:\n    - rule: field-added\n      message: |\n        several\n\n        lines\n",
    ],
    ids=["none", "empty", "comment", "null", "block", "literal"],
)
def test_only_the_expectation_changes(old: str) -> None:
    found = with_expectation(f"{BEFORE}{old}\n{AFTER}", "positive", FOUND)
    assert found == f"{BEFORE}{BLOCK}\n{AFTER}"
    assert read_yaml(found)["positive"]["expect"] == FOUND
    assert with_expectation(found, "positive", FOUND) == found


def test_last_case_can_end_without_a_newline() -> None:
    found = with_expectation(f"{BEFORE}{AFTER}".rstrip("\n"), "near-miss", FOUND)
    assert found == f"{BEFORE}{AFTER}".replace("  expect: []\n", BLOCK)


def test_an_expectation_before_a_side_is_replaced() -> None:
    text = "positive:\n  expect: []\n  base: {}\n"
    assert with_expectation(text, "positive", FOUND) == f"positive:\n{BLOCK}  base: {{}}\n"


def test_removed_findings_leave_an_empty_list() -> None:
    assert with_expectation(f"positive:\n{BLOCK}", "positive", []) == "positive:\n  expect: []\n"


@pytest.mark.parametrize("text", ["{positive: {base: {}}}", "positive: {base: {}, expect: []}"])
def test_a_case_in_flow_style_is_rejected(text: str) -> None:
    with pytest.raises(AssertionError, match="block style"):
        with_expectation(text, "positive", FOUND)


def test_an_unknown_case_is_rejected() -> None:
    with pytest.raises(AssertionError, match="no case negative"):
        with_expectation(BEFORE, "negative", FOUND)


@pytest.mark.parametrize("case", all_cases()[::100], ids=lambda case: case.name)
def test_an_update_without_changes_keeps_the_file(case: Case) -> None:
    text = case.file.read_text(encoding="utf-8")
    assert with_expectation(text, case.label, case.content["expect"]) == text
