"""Changed defaults and changed `nullable` that make a server reject objects are errors, with an object that shows it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apigen.review.results import Direction, Impact, Severity
from apigen.runtime.structural.engine import Structural
from tests.review.pipeline.crds import reviewed, root
from tests.yaml_files import read_yaml

CASES: dict[str, dict[str, Any]] = read_yaml(Path(__file__).with_name("absent_values.yaml").read_text(encoding="utf-8"))
RULES = ("default-rejects-objects", "null-rejects-objects")


@pytest.mark.parametrize("name", CASES)
def test_a_change_that_rejects_objects_is_an_error(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    base, revision = root(case["base"]), root(case["revision"])
    found = [each for each in reviewed(tmp_path, base, revision) if each.rule in RULES]
    if case["rejects"] == "nothing":
        assert not found
        return
    (finding,) = (each for each in found if each.rule == case.get("rule", RULES[0]))
    assert finding.own_severity is Severity.ERROR
    assert finding.element.name.removeprefix("Widget.") == case["rejects"]
    assert finding.effects[Direction.OLD_CLIENT].impact is Impact.BREAKS
    (shown,) = (each for each in finding.counterexamples if each.direction is Direction.OLD_CLIENT)
    assert not Structural(base).evaluate(shown.before).violations
    assert Structural(revision).evaluate(shown.before).violations


@pytest.mark.parametrize("name", CASES)
def test_the_result_is_the_same_without_a_search_for_objects(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    found = reviewed(tmp_path, root(case["base"]), root(case["revision"]), with_objects=False)
    assert any(each.rule in RULES for each in found) == (case["rejects"] != "nothing")
