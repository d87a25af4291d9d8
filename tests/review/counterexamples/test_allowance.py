"""The work of a search is limited; omitted findings are reported, and small reviews are complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.ir.names import member_name
from apigen.review.counterexamples import searching
from apigen.review.counterexamples.candidates import TOO_MUCH, Allowance, Filling, Fullness, Sampling
from apigen.review.counterexamples.searching import with_counterexamples
from apigen.review.counterexamples.specs_of_types import given_names
from apigen.review.review import review
from tests.review.counterexamples.test_searching import findings, surface, thing
from tests.review.reports.hand_made import summary

SIZED = {"type": "int32", "optional": True, "protobuf": 2}


@pytest.mark.parametrize("left", [Allowance(values=0), Allowance(fields=1)])
def test_exceeded_allowance_is_reported(left: Allowance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "Allowance", lambda: left)
    sides = surface(thing(size=SIZED), tmp_path / "old"), surface(thing(), tmp_path / "new")
    reviewed = with_counterexamples(review(*sides))
    assert [each.no_counterexample for each in reviewed.findings if each.effects] == [TOO_MUCH]
    said = summary(*reviewed.findings).untried
    assert said == "no counterexamples were searched for 1 of 1 findings, which would take too long"


@pytest.mark.slow
def test_other_kinds_are_tried_if_one_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "Allowance", lambda: Allowance(fields=250))
    wide = {f"field{index}": {**SIZED, "protobuf": index} for index in range(3, 303)}

    def of(maximum: int) -> dict[str, object]:
        made = thing(size={**SIZED, "maximum": maximum})
        made["types"]["Wide"] = {"fields": {"size": {**SIZED, "maximum": maximum}, **wide}}
        return {**made, "kinds": {"Thing": {"scope": "Namespaced"}, "Wide": {"scope": "Namespaced"}}}

    sides = surface(of(64), tmp_path / "old"), surface(of(32), tmp_path / "new")
    found = {str(each.element): each for each in with_counterexamples(review(*sides)).findings}
    assert found["things.example.com/v1.Thing.size"].counterexamples
    assert found["things.example.com/v1.Wide.size"].no_counterexample == TOO_MUCH


@pytest.mark.slow
def test_objects_are_no_larger_than_needed(tmp_path: Path) -> None:
    many = {f"field{index}": {"type": "int32", "protobuf": index} for index in range(2, 6_002)}
    found = surface(thing(**many), tmp_path)
    sampling = Sampling(found)
    type_ = found.groups["things.example.com"].versions["v1"].types["Thing"]
    before = sampling.allowance.values
    made = Filling(sampling, Fullness.ALL).value(type_.slot)  # type: ignore[union-attr]
    assert isinstance(made, dict) and 4_000 < len(made) < 6_000
    assert 4_000 < before - sampling.allowance.values < 7_000


@pytest.mark.slow
def test_names_that_are_invalid_in_python(tmp_path: Path) -> None:
    def of(maximum: int) -> dict[str, object]:
        made = thing(size={**SIZED, "maximum": maximum}, medium={"type": "Medium", "optional": True, "protobuf": 3})
        values = {"HugePages": {}, "HugePages-": {"pyName": "PREFIX"}, "<": {"pyName": "LESS"}}
        made["types"]["Medium"] = {"enum": values}
        return made

    assert findings(of(64), of(32), tmp_path)["bound-tightened"].counterexamples


def test_derived_names_come_first() -> None:
    assert given_names(["A-b", "A_B", "<", ""], member_name, "VALUE_NO_") == {"A_B": "VALUE_NO_1", "<": "VALUE_NO_2"}
