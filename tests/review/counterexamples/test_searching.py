"""Objects that show findings are found, are tried, and are as small as can be."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from apigen.diagnostics import Place, Report
from apigen.inputs.source import Setting
from apigen.ir.surface import Constraint, Element, ElementKind, Keyword, Scalar, Scalars, Slot, Surface
from apigen.review.counterexamples import running, trial_run
from apigen.review.counterexamples.candidates import Candidates, Sampling
from apigen.review.counterexamples.running import Task
from apigen.review.counterexamples.searching import with_counterexamples
from apigen.review.finding import Finding
from apigen.review.results import Direction
from apigen.review.review import review
from apigen.review.sources.loading import load
from apigen.runtime.patterns import Program
from tests.review.cases import write_specs

THING = {"fields": {"metadata": {"type": "meta/v1.ObjectMeta", "required": False, "protobuf": 1}}}


def surface(said: Any, root: Path) -> Surface:
    report = Report()
    found = load(str(write_specs(said, root)), Setting(root), report)
    assert found is not None
    return found


def thing(**fields: Any) -> dict[str, Any]:
    return {"types": {"Thing": {"fields": {**THING["fields"], **fields}}}}


def findings(old: Any, new: Any, folder: Path, **limits: Any) -> dict[str, Finding]:
    sides = surface(old, folder / "old"), surface(new, folder / "new")
    return {each.rule: each for each in with_counterexamples(review(*sides), **limits).findings}


def test_accepted_value_that_is_now_rejected(tmp_path: Path) -> None:
    old = thing(size={"type": "int32", "optional": True, "protobuf": 2, "maximum": 64})
    new = thing(size={"type": "int32", "optional": True, "protobuf": 2, "maximum": 32})
    finding = findings(old, new, tmp_path)["bound-tightened"]
    (counterexample,) = (each for each in finding.counterexamples if each.direction is Direction.OLD_CLIENT)
    assert isinstance(counterexample.before, dict)
    assert set(counterexample.before) == {"apiVersion", "kind", "size"}
    assert isinstance(counterexample.before["size"], int) and 32 < counterexample.before["size"] <= 64
    assert "must be less than or equal to 32" in counterexample.outcome
    assert counterexample.kind == "things.example.com/v1 Thing"


def test_dropped_field(tmp_path: Path) -> None:
    old = thing(note={"type": "string", "optional": True, "protobuf": 2})
    finding = findings(old, thing(), tmp_path)["field-removed"]
    (counterexample,) = (each for each in finding.counterexamples if each.direction is Direction.STORED)
    assert counterexample.outcome == 'note is lost; it was "a"'
    assert counterexample.after == {"apiVersion": "things.example.com/v1", "kind": "Thing", "metadata": {}}


def test_deeply_nested_and_list_fields(tmp_path: Path) -> None:
    def of(pattern: str) -> dict[str, Any]:
        made = thing(parts={"type": "map[string]Part", "optional": True, "protobuf": 2})
        inner = {"type": "[]string", "optional": True, "protobuf": 1, "items": {"pattern": pattern}}
        made["types"]["Part"] = {"fields": {"names": inner}}
        return made

    found = findings(of("^[a-z]+$"), of("^[a-f]+$"), tmp_path)
    counterexample = next(each for finding in found.values() for each in finding.counterexamples)
    assert isinstance(counterexample.before, dict) and set(counterexample.before) == {"apiVersion", "kind", "parts"}


def test_type_without_kind_gets_a_generated_kind(tmp_path: Path) -> None:
    def of(maximum: int) -> dict[str, Any]:
        field = {"type": "int32", "optional": True, "protobuf": 1, "maximum": maximum}
        return {**thing(), "types": {**thing()["types"], "Alone": {"fields": {"size": field}}}}

    sides = surface(of(64), tmp_path / "old"), surface(of(32), tmp_path / "new")
    found = [
        replace(each, severity=max(each.severity, type(each.severity).WARNING)) for each in review(*sides).findings
    ]
    reviewed = with_counterexamples(replace(review(*sides), findings=tuple(found)))
    finding = next(each for each in reviewed.findings if each.rule == "bound-tightened")
    for counterexample in finding.counterexamples:
        assert isinstance(counterexample.before, dict) and set(counterexample.before) == {"size"}


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"most": 0}, "no search was made, because a review searches for"),
        ({"seconds": 0}, "no search was made, because the time limit was reached"),
    ],
)
def test_skipped_trial_is_reported(limits: dict[str, Any], said: str, tmp_path: Path) -> None:
    finding = findings(thing(a={"type": "string", "protobuf": 2}), thing(), tmp_path, **limits)["field-removed"]
    assert not finding.counterexamples and finding.no_counterexample.startswith(said)


def test_removed_side_is_reported(tmp_path: Path) -> None:
    old = surface(thing(), tmp_path / "old")
    reviewed = with_counterexamples(review(old, replace(old, groups={})))
    for finding in reviewed.findings:
        assert not finding.counterexamples and (finding.no_counterexample or not finding.effects)


def test_crd_is_converted_to_the_spec_language(tmp_path: Path) -> None:
    text = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.things.example.com}
spec:
  group: things.example.com
  scope: Namespaced
  names: {kind: Thing, plural: things, singular: thing, listKind: ThingList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, maximum: %d}
              names: {type: array, items: {type: string, enum: [A, B]}}
"""
    sides = []
    for name, maximum in (("old.yaml", 64), ("new.yaml", 32)):
        (tmp_path / name).write_text(text % maximum, encoding="utf-8")
        found = load(name, Setting(tmp_path), Report())
        assert found is not None
        sides.append(found)
    finding = next(
        each for each in with_counterexamples(review(sides[0], sides[1])).findings if each.rule == "bound-tightened"
    )
    counterexample = next(each for each in finding.counterexamples if each.direction is Direction.OLD_CLIENT)
    assert isinstance(counterexample.before, dict) and isinstance(counterexample.before["spec"], dict)
    assert set(counterexample.before["spec"]) == {"size"}


EXPLODING = [f"{'(.{1,1000})' * 30}", "(((a{1,500}){1,500}){1,500})", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a?){200}a{200}"]


@pytest.mark.slow
@pytest.mark.parametrize("pattern", EXPLODING)
def test_values_of_exponential_patterns_are_skipped(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    work = 0
    original = Program.closure

    def counted(self: Program, starts: Iterable[int], true: int) -> list[int]:
        nonlocal work
        found = original(self, starts, true)
        work += len(found)
        return found

    monkeypatch.setattr(Program, "closure", counted)
    text = Slot(Scalar(Scalars.STRING), Place(""), constraints={Keyword.PATTERN: Constraint(pattern, Place(""))})
    Sampling(Surface("", "", {})).values(text, 3)
    assert work < 1_500_000


def test_types_with_two_references_each_yield_small_objects(tmp_path: Path) -> None:
    parts = {
        f"P{i}": {
            "fields": {n: {"type": f"P{i + 1}", "optional": True, "protobuf": p} for n, p in (("a", 1), ("b", 2))}
        }
        for i in range(40)
    }
    last = {"P40": {"fields": {"size": {"type": "int32", "optional": True, "protobuf": 1}}}}
    said = thing(part={"type": "P0", "optional": True, "protobuf": 2})
    side = surface({"types": {**said["types"], **parts, **last}}, tmp_path)
    sampling = Sampling(side)
    element = Element(ElementKind.FIELD, "things.example.com", "v1", "P40", "size")
    made = list(Candidates(sampling, sampling).objects(element))
    assert made and max(len(json.dumps(each)) for each in made) < 20_000


def test_slow_object_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    def explodes(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(trial_run, "SECONDS", 0.01)
    monkeypatch.setattr(trial_run, "_trial", explodes)
    task = Task(7, "g", (False, False), (Direction.OLD_CLIENT,), (tuple(range(10)), ()))
    answer = trial_run.run_task(task, cast(Any, (None, None)))
    assert (answer.number, answer.tried, answer.counterexamples) == (7, trial_run.MOST_SLOW, ())
    assert f"{trial_run.MOST_SLOW} objects exceeded the time limit" in answer.failure


def test_slow_objects_get_decreasing_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    def explodes(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(trial_run, "SECONDS", 0.01)
    monkeypatch.setattr(trial_run, "_trial", explodes)
    patience = trial_run.Patience()
    task = Task(7, "g", (False, False), (Direction.OLD_CLIENT,), (tuple(range(10)), ()))
    tried = [trial_run.run_task(task, cast(Any, (None, None)), patience).tried for _ in range(40)]
    assert tried[0] == trial_run.MOST_SLOW and tried[-1] == 0 and patience.is_over
    assert sum(tried) < 30


def test_no_object_is_generated_after_the_time_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = thing(a={"type": "string", "optional": True, "protobuf": 2})
    monkeypatch.setattr(Candidates, "objects", lambda *asked: pytest.fail("objects are made"))
    finding = findings(old, thing(), tmp_path, seconds=0)["field-removed"]
    assert finding.no_counterexample.startswith("no search was made")


@pytest.mark.slow
def test_generated_kind_is_not_used_for_reachable_types(tmp_path: Path) -> None:
    def of(**fields: Any) -> dict[str, Any]:
        size = {"type": "int32", "optional": True, "protobuf": 1}
        return {"types": {**thing(**fields)["types"], "Box": {"fields": {"size": size}}}}

    new = of(box={"type": "Box", "optional": True, "protobuf": 2})
    new["types"]["Box"]["fields"]["depth"] = {"type": "int32", "required": True, "omitEmpty": True, "protobuf": 2}
    finding = findings(of(), new, tmp_path)["field-added-required-in-new-parent"]
    assert all(isinstance(each.before, dict) and each.before.get("kind") == "Thing" for each in finding.counterexamples)


@pytest.mark.slow
def test_a_default_that_is_computed(tmp_path: Path) -> None:
    size = {"type": "int32", "optional": True, "protobuf": 2}
    old = thing(size=size, value={**size, "protobuf": 3, "default": 3})
    cases = [{"when": {"set": "size"}, "from": "size"}, {"value": 3}]
    new = thing(size=size, value={**size, "protobuf": 3, "default": cases})
    finding = findings(old, new, tmp_path)["default-computed-changed"]
    (counterexample,) = (each for each in finding.counterexamples if each.direction is Direction.OLD_CLIENT)
    assert (
        isinstance(counterexample.before, dict)
        and "size" in counterexample.before
        and "value" not in counterexample.before
    )


def test_a_default_by_path(tmp_path: Path) -> None:
    inner = {"fields": {"size": {"type": "int32", "optional": True, "protobuf": 1}}}
    sides = []
    for value in (3, 4):
        said = thing(inner={"type": "Inner", "protobuf": 2})
        said["types"]["Thing"]["defaults"] = {"inner.size": value}
        sides.append({"types": {**said["types"], "Inner": inner}})
    found = findings(sides[0], sides[1], tmp_path)
    assert any(each.counterexamples for each in found.values()), {
        rule: each.no_counterexample for rule, each in found.items()
    }


@pytest.mark.parametrize("word", ["requires", "forbids"])
def test_validation_error_at_a_sibling_field(word: str, tmp_path: Path) -> None:
    text = {"type": "string", "optional": True}
    old = thing(a={**text, "protobuf": 2}, b={**text, "protobuf": 3})
    new = thing(a={**text, "protobuf": 2, word: ["b"]}, b={**text, "protobuf": 3})
    finding = findings(old, new, tmp_path)["dependents-tightened"]
    (counterexample,) = (each for each in finding.counterexamples if each.direction is Direction.OLD_CLIENT)
    assert isinstance(counterexample.before, dict) and ("b" in counterexample.before) == (word == "forbids")


def test_hand_written_constraints_are_tried_as_generated(tmp_path: Path) -> None:
    old = thing(name={"type": "string", "optional": True, "protobuf": 2, "enforcedByHand": {"maxLength": 9}})
    new = thing(name={"type": "string", "optional": True, "protobuf": 2, "maxLength": 7})
    finding = findings(old, new, tmp_path)["bound-tightened"]
    (counterexample,) = (each for each in finding.counterexamples if each.direction is Direction.OLD_CLIENT)
    assert isinstance(counterexample.before, dict) and 7 < len(str(counterexample.before["name"])) <= 9


def test_modules_in_the_working_folder_are_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "enum.py").write_text("raise SystemExit('this is not the one that was meant')", encoding="utf-8")
    (tmp_path / "json.py").write_text("raise SystemExit('nor is this')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    old = thing(a={"type": "string", "optional": True, "protobuf": 2})
    assert findings(old, thing(), tmp_path)["field-removed"].counterexamples


def test_failed_process_reports_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_MODULE", "apigen.no_such_module")
    old = thing(a={"type": "string", "optional": True, "protobuf": 2})
    finding = findings(old, thing(), tmp_path)["field-removed"]
    assert not finding.counterexamples and "no_such_module" in finding.no_counterexample
