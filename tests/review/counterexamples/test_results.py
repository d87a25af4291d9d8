"""What objects show agrees with what rules say: in cases of rules from all folders, every direction is tried."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from apigen.review.counterexamples.searching import with_counterexamples
from apigen.review.finding import Finding
from apigen.review.results import Direction, Severity, depends
from tests.review.cases import Case, all_cases, evaluated, sides

SHOWN = {
    "bound-tightened/positive": Direction.OLD_CLIENT,
    "pattern-added/positive": Direction.OLD_CLIENT,
    "update-restricted/positive": Direction.OLD_CLIENT,
    "update-freed/positive": Direction.NEW_CLIENT,
    "default-added/positive": Direction.OLD_CLIENT,
    "default-changed/positive": Direction.OLD_CLIENT,
    "default-removed/positive": Direction.NEW_CLIENT,
    "enum-value-removed/positive": Direction.OLD_CLIENT,
    "enum-value-added/positive": Direction.NEW_CLIENT,
    "field-added/positive": Direction.NEW_CLIENT,
    "field-added/positive-default-in-a-struct-left-out": Direction.OLD_CLIENT,
    "field-added-required/positive": Direction.OLD_CLIENT,
    "field-removed/positive": Direction.STORED,
    "field-removed/positive-default-in-a-struct-left-out": Direction.NEW_CLIENT,
    "gate-added-to-field/positive": Direction.OLD_CLIENT,
    "gate-graduated/positive": Direction.NEW_CLIENT,
    "gate-history-changed/positive-backdated": Direction.NEW_CLIENT,
    "gate-regressed/positive": Direction.OLD_CLIENT,
    "gate-mark-removed/positive-alpha": Direction.NEW_CLIENT,
    "subresource-added/positive": Direction.OLD_CLIENT,
    "became-required/positive": Direction.OLD_CLIENT,
    "type-changed/positive": Direction.OLD_CLIENT,
    "union-tightened/positive": Direction.OLD_CLIENT,
}
"""Cases, and a direction in which an object shows what their rule says."""

CASES = {case.name: case for case in all_cases()}


def in_all_directions(case: Case, folder: Path) -> tuple[list[Finding], list[Finding]]:
    """The findings of a case, and those of its own rule with objects for every direction, said to break or not.

    Later outcomes only count in the directions that the finding reports: a copy of an old object may become invalid.
    """
    reviewed = evaluated(case, sides(case, folder))
    anywhere = {direction: depends("not said") for direction in Direction}
    asked = tuple(
        replace(
            each,
            severity=max(each.severity, Severity.INFO),
            effects={**anywhere, **each.effects},
            result=replace(each.result, effects=each.effects),
        )
        for each in reviewed.findings
        if each.rule == case.rule
    )
    found = with_counterexamples(replace(reviewed, findings=asked))
    return list(reviewed.findings), list(found.findings)


@pytest.mark.parametrize("name", SHOWN)
def test_counterexamples_match_reported_directions(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    findings, tried = in_all_directions(case, tmp_path)
    said = {direction for finding in findings for direction in finding.effects}
    shown = {counterexample.direction for finding in tried for counterexample in finding.counterexamples}
    assert shown <= said, [counterexample for finding in tried for counterexample in finding.counterexamples]
    assert SHOWN[name] in shown, [finding.no_counterexample for finding in tried]
    assert not any(finding.no_counterexample for finding in findings if finding.rule == case.rule)
