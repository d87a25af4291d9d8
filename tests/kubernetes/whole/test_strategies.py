"""What all strategies of Kubernetes do: record by record, field by field, and what no data can say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kubernetes.records import DATA, Preparation, preparations
from tests.kubernetes.whole import strategy_table
from tests.kubernetes.whole.conftest import Built
from tests.kubernetes.whole.releases import REFERENCE
from tests.kubernetes.whole.strategies import Prepared, check_group, groups, unused_causes
from tests.kubernetes.whole.strategy_causes import Cause, causes, differences, explained_by, shown, steps
from tests.kubernetes.whole.strategy_pairs import broken_rules, pairs
from tests.kubernetes.whole.strategy_report import problems_of

ALL = 4388
"""All records that came with the vectors; the rest is of resources that these omit."""
MORE = 2621


@pytest.fixture(scope="module")
def outcomes(built: Built) -> list[Prepared]:
    folder = built(REFERENCE)[0]
    return [one for file in groups() for one in check_group(folder, *file)]


@pytest.fixture(scope="module")
def records() -> list[Preparation]:
    return [record for file in groups() for record in preparations(*file)]


def test_every_record_agrees_or_has_a_cause(outcomes: list[Prepared]) -> None:
    wrong = [f"{outcome.resource}: {outcome.name}: {outcome.problem[:300]}" for outcome in outcomes if outcome.problem]
    assert not wrong, f"{len(wrong)} of {len(outcomes)} records\n" + "\n".join(wrong[:20])


def test_every_cause_is_needed(outcomes: list[Prepared]) -> None:
    assert unused_causes(outcomes) == []


def test_fields_with_the_standard_rule_follow_it(outcomes: list[Prepared], records: list[Preparation]) -> None:
    found = pairs(records, outcomes)
    assert list(broken_rules(found, outcomes)) == []
    assert (len(found), sum(pair.is_standard for pair in found)) == (179, 144)


def test_stored_tables_match_a_new_run(outcomes: list[Prepared], records: list[Preparation]) -> None:
    """`make kubernetes-evolution ARGS=--write` keeps them for the documentation."""
    tables = strategy_table.result(outcomes, pairs(records, outcomes))
    assert strategy_table.read() == tables
    assert strategy_table.FILE.read_text(encoding="utf-8") == strategy_table.text(tables)


def test_records_that_need_no_action_are_not_counted(outcomes: list[Prepared]) -> None:
    came_along = outcomes[:ALL]
    assert sum(outcome.by_nothing for outcome in came_along) == 2021
    changing = [outcome for outcome in came_along if not outcome.by_nothing]
    assert sum(outcome.agrees for outcome in changing) > len(changing) * 0.8


@pytest.mark.slow
def test_number_of_records() -> None:
    """Exact numbers, so that a missing record fails the test."""
    assert len(preparations(DATA / "all-vectors")) == ALL
    assert len(preparations(DATA / "more-vectors")) == MORE
    assert len({record.resource for file in groups() for record in preparations(*file)}) == 65


ROWS = (
    Cause("pods", ("create",), ("status.conditions", "spec.names[].at"), "merging", "why"),
    Cause("pods", ("create",), ("status.conditions[].time",), "clock", "why"),
)


@pytest.mark.parametrize(
    ("operation", "places", "expected"),
    [
        ("create", ["status.conditions[].time"], ["clock"]),
        ("create", ["status.conditions[].type"], ["merging"]),
        ("create", ["status.conditions"], ["merging"]),
        ("create", ["spec.names[].at.x", "status.conditions[].time"], ["merging", "clock"]),
        ("create", ["status"], None),
        ("create", ["spec.names"], None),
        ("create", ["status.conditions", "spec.other"], None),
        ("update", ["status.conditions"], None),
        ("create", [], []),
    ],
)
def test_rows_cover_fields_at_and_below_their_paths(
    operation: str, places: list[str], expected: list[str] | None
) -> None:
    found = explained_by(ROWS, "pods", operation, map(steps, places))
    assert (None if found is None else [row.cause for row in found]) == expected


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ({"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 1}, {"b": 3}]}, ["a[].b"]),
        ({"a": [1]}, {"a": [1, 2]}, ["a"]),
        ({"a": 1}, {"a": True}, ["a"]),
        ({"a": {}}, {}, ["a"]),
        ({"a": {"x.y/z": "1"}}, {"a": {"x.y/z": "2"}}, ["a.x.y/z"]),
        ({"a": [1]}, {"a": [1]}, []),
    ],
)
def test_differences_are_reported_by_field_path(ours: object, theirs: object, expected: list[str]) -> None:
    assert list(map(shown, differences(ours, theirs))) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- {resource: a, operations: [create], paths: [x], cause: other, why: y}", "is no cause"),
        ("- {resource: a, operations: [create], paths: [x], cause: clock}", "a row says"),
        ("- {resource: a, operations: [], paths: [x], cause: clock, why: y}", "operations, paths and a sentence"),
        (
            "- &a {resource: a, operations: [create], paths: [x], cause: clock, why: y}\n- *a",
            "written twice: a clock",
        ),
    ],
)
def test_rows_are_checked(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "causes.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=problem):
        causes(file)


def outcome(**changes: object) -> Prepared:
    made: dict[str, object] = {
        "resource": "frobbers",
        "group": "g",
        "operation": "update",
        "name": "a record",
        "about": "spec.parts[].width",
        "case": "both",
        "is_disabled": True,
        "by_nothing": False,
    }
    return Prepared(**{**made, **changes})  # type: ignore[arg-type]


def record(case: str, after: object, on: bool = False) -> Preparation:
    return Preparation(
        "Frobber", "g", "v1", "update", case, {"G": on}, "1", {}, {}, after, "frobbers", "spec.parts[].width"
    )


def with_width() -> object:
    return {"spec": {"parts": [{}, {"width": 1}]}}


@pytest.mark.parametrize(
    ("records", "rule"),
    [
        ([record("both", with_width()), record("new-only", {})], ""),
        ([record("both", {})], "update, both: dropped"),
        ([record("new-only", with_width())], "update, new-only: kept"),
        ([record("new-only", with_width(), on=True), record("both", with_width())], ""),
        ([record("old-only", with_width()), record("neither", with_width())], ""),
    ],
)
def test_which_rule_a_field_follows(records: list[Preparation], rule: str) -> None:
    (pair,) = pairs(records, [outcome()])
    assert (pair.off_rule, pair.is_standard) == (rule, not rule)


def test_field_with_all_gates_enabled_is_not_a_pair() -> None:
    assert pairs([record("both", with_width(), on=True)], [outcome()]) == []


def test_difference_in_standard_rule_field_is_a_failure() -> None:
    found = pairs([record("both", with_width())], [outcome()])
    row = Cause("frobbers", ("update",), ("spec.parts",), "computed value", "why")
    at_field = outcome(differs_at=(("spec", "parts", "[]", "width"),), explained=(row,))
    beside = outcome(differs_at=(("spec", "parts", "[]", "depth"),), explained=(row,))
    assert list(broken_rules(found, [beside])) == []
    assert [pair.agree_there for pair in pairs([record("both", with_width())], [outcome(), beside, at_field])] == [2]
    assert list(broken_rules(found, [at_field])) == [
        "frobbers: a record: differs at spec.parts[].width, which follows the standard rule"
    ]


def test_problems_are_reported_and_truncated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.kubernetes.whole.strategies.causes", lambda: ROWS)
    told = problems_of([outcome(problem="differs at a")] * 50, [])
    assert told[0] == "frobbers: a record: differs at a"
    assert told[40] == "… and 10 more records"
    assert told[41] == "pods: no record needs the row about status.conditions, spec.names[].at (merging)"
    assert len(told) == 43
