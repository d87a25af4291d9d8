"""What objects show agrees with what rules say: in cases of rules from all folders, every direction is tried."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.review.counterexamples.searching import with_counterexamples
from apigen.review.finding import Finding
from apigen.review.results import Direction, Severity, depends
from apigen.review.review import review
from apigen.review.sources.loading import load
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


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOWN)
def test_counterexamples_match_reported_directions(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    findings, tried = in_all_directions(case, tmp_path)
    said = {direction for finding in findings for direction in finding.effects}
    shown = {counterexample.direction for finding in tried for counterexample in finding.counterexamples}
    assert shown <= said, [counterexample for finding in tried for counterexample in finding.counterexamples]
    assert SHOWN[name] in shown, [finding.no_counterexample for finding in tried]
    assert not any(finding.no_counterexample for finding in findings if finding.rule == case.rule)


def numbered(old: str, new: str, folder: Path) -> dict[str, Finding]:
    """The findings of a changed proto message about numbers, with counterexamples, by the path of their element."""
    loaded = []
    for name, fields in (("old", old), ("new", new)):
        (folder / name).mkdir()
        text = f'syntax = "proto3";\npackage things;\nmessage Thing {{\n{fields}\n}}\n'
        (folder / name / "a.proto").write_text(text)
        side = load(name, Setting(folder), Report())
        assert side is not None
        loaded.append(side)
    found = with_counterexamples(review(loaded[0], loaded[1])).findings
    return {each.element.path: each for each in found if each.rule.startswith("field-number-")}


def test_reused_number_is_shown_by_its_own_fields_only(tmp_path: Path) -> None:
    old = "int32 width = 1; string name = 2;"
    found = numbered(old, "string title = 1; int32 name = 2;", tmp_path)["title"]
    assert found.counterexamples
    for each in found.counterexamples:
        assert each.before in ({"width": 1}, {"title": "a"})
        assert "unknown field" not in each.outcome
        assert "name" not in each.outcome


@pytest.mark.slow
def test_number_of_moved_field_is_shown_by_the_moved_field(tmp_path: Path) -> None:
    old, new = "string a = 1; string b = 2; string c = 3;", "string b = 1; string d = 2; string a = 3;"
    found = numbered(old, new, tmp_path)
    befores = {name: [each.before for each in finding.counterexamples] for name, finding in found.items()}
    assert all(each == {name: "a"} for name in "ab" for each in befores[name])
    assert {"b": "a"} in befores["d"]
    assert all(each in ({"b": "a"}, {"d": "a"}) for each in befores["d"])


def test_unset_field_does_not_show_that_its_number_changed(tmp_path: Path) -> None:
    old, new = "string name = 1; Thing inner = 3;", "string name = 3; Thing inner = 1;"
    found = numbered(old, new, tmp_path)
    assert all(each.before for finding in found.values() for each in finding.counterexamples)
