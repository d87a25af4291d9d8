"""The generated tests of gates: they are there for every gated place, they pass, and they fail when the code is wrong."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from apigen.codegen.generated_tests import gate_tests, strategy_tests
from apigen.codegen.generated_tests.places import GateFinder
from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from apigen.language.releases import Release
from tests.codegen.gated_packages import Gated, build, specs

GATES = """
    GateA: {owner: sig-frob, stages: [{release: "1.11", stage: alpha}, {release: "1.13", stage: beta, default: true}]}
    GateB: {owner: sig-frob, stages: [{release: "1.12", stage: alpha}], dependsOn: [GateA]}
    GateC:
      owner: sig-frob
      stages:
        - {release: "1.9", stage: beta, default: true}
        - {release: "1.12", stage: ga, default: true, locked: true}
    """
TYPES = """
    Frobber:
      fields:
        metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
        width: {type: int32, optional: true, protobuf: 2, featureGate: GateB}
        parts: {type: "[]Part", omitEmpty: true, protobuf: 3, featureGate: GateA}
        byName: {type: "map[string]Part", omitEmpty: true, protobuf: 4}
        old: {type: string, omitEmpty: true, protobuf: 5, removed: "1.12"}
        locked: {type: int32, optional: true, protobuf: 6, featureGate: {gate: GateC, inUse: never}}
        policies: {type: "[]Policy", omitEmpty: true, protobuf: 7}
        status: {type: FrobberStatus, required: false, protobuf: 8}
        body: {type: Body, required: false, protobuf: 9}
    Body:
      fields:
        gone: {type: string, omitEmpty: true, protobuf: 1, removed: "1.12"}
        size: {type: int32, omitEmpty: true, protobuf: 2}
    Part:
      fields:
        mode: {type: Policy, optional: true, protobuf: 1, featureGate: {gate: GateB, to: Always, inUse: field}}
        nested: {type: Part, optional: true, protobuf: 2}
    Policy:
      enum: {Gone: {removed: "1.12"}, Always: {}, Never: {}, Late: {featureGate: GateB}}
    FrobberStatus:
      fields:
        seen: {type: Quantity, omitEmpty: true, protobuf: 1, featureGate: {any: [GateA, GateC]}}
        policy: {type: Policy, omitEmpty: true, protobuf: 2}
    """
MODULE = "tests/test_things_example_com_frobber_gates"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gated]:
    folder = tmp_path_factory.mktemp("tests")
    with pytest.MonkeyPatch.context() as monkeypatch:
        package = build(specs(TYPES, GATES), folder, monkeypatch)
        report = Report()
        backend_input = check(Sources(folder / "specs"), report).backend_input
        assert backend_input is not None
        for file in gate_tests.plan(backend_input):
            path = folder / package.name / file.path
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(file.content)
        yield package


def functions_of(module: ModuleType) -> dict[str, Any]:
    return {name: function for name, function in vars(module).items() if name.startswith("test_")}


def test_generated_tests_pass(package: Gated) -> None:
    tests = functions_of(package.module(MODULE.replace("/", ".")))
    assert len(tests) > 20
    for test in tests.values():
        test()


def test_tables_contain_each_field_path(package: Gated) -> None:
    text = package.text(MODULE)
    places = [
        "width",
        "parts",
        "parts[0].mode",
        "byName[x].mode",
        "old",
        "locked",
        "status.seen",
        "policies[0]",
        "status.policy",
    ]
    for place in places:
        assert f'("{place}", lambda:' in text or f'"{place}",\n' in text, place


def test_each_test_names_the_state_that_it_sets(package: Gated) -> None:
    text = package.text(MODULE)
    features = package.module("features")
    releases = [features.RELEASE, *(stage.release for gate in features.GATES for stage in gate.stages)]
    newest = max(releases, key=lambda release: tuple(map(int, release.split("."))))
    assert f'off = Features(GATES, "{newest}", "GateB=false")' in text
    assert f'on = Features(GATES, "{newest}", "GateB=true")' in text
    assert f'off = Features(GATES, "{newest}", "GateA=false")' in text
    assert 'Features(GATES, "1.11", "GateC=false")' in text, "before it was locked"
    names = functions_of(package.module(MODULE.replace("/", ".")))
    assert "test_create_with_gate_b_off" in names and "test_update_with_gate_b_off_and_in_use" in names


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("obj.width = None", "pass"),
        ('not features.enabled("GateB")', "False"),
        ('not features.enabled("GateB")', "True"),
        ("and not frobber_uses_gate_b(old)", ""),
        ("and not frobber_uses_gate_b(old)", "and frobber_uses_gate_b(old)"),
        ('obj.old = ""', "pass"),
        ('path.child("width")', 'path.child("height")'),
    ],
)
def test_generated_tests_fail_on_wrong_code(package: Gated, right: str, wrong: str) -> None:
    path = package.folder / package.name / "things_example_com/hub/strategies.py"
    text = path.read_text(encoding="utf-8")
    assert right in text
    strategies = package.hub("strategies")
    tests = package.module(MODULE.replace("/", "."))
    exec(compile(text.replace(right, wrong), str(path), "exec"), vars(strategies))
    try:
        with pytest.raises(AssertionError):
            for test in functions_of(importlib.reload(tests)).values():
                test()
    finally:
        exec(compile(text, str(path), "exec"), vars(strategies))
        importlib.reload(tests)


def test_gate_settings_include_dependencies(tmp_path: Path) -> None:
    for name, text in specs(TYPES, GATES).items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    report = Report()
    backend_input = check(Sources(tmp_path), report).backend_input
    assert backend_input is not None
    finder = GateFinder(backend_input.api, {"": Release(1, 13)})
    assert finder.settings(["GateB"], []) == 'Features(GATES, "1.13", "GateB=true")'
    assert finder.settings([], ["GateA"]) == 'Features(GATES, "1.13", "GateA=false")'
    assert finder.settings(["GateB"], ["GateA"]) is None
    assert finder.settings([], ["GateC"]) == 'Features(GATES, "1.11", "GateC=false")'
    assert finder.settings(["GateB"], ["GateC"]) is None, "the one came when the other was locked"
    assert finder.settings(["GateB"], [], [Release(1, 12)]) == 'Features(GATES, "1.12", "GateB=true,GateA=true")'


STRATEGY_MODULE = "tests/test_things_example_com_frobber_strategy"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("obj.status = FrobberStatus()", "pass"),
        ("obj.metadata.generation = 1", "obj.metadata.generation = 0"),
        ("obj.status = copy_frobber_status(old.status)", "obj.status = FrobberStatus()"),
        ("obj.width != old.width", "obj.width == old.width"),
        ("obj.width = old.width", "pass"),
        ('subresource="status"', 'subresource="scale"'),
    ],
)
def test_strategy_tests_pass_and_fail_on_wrong_code(package: Gated, right: str, wrong: str) -> None:
    report = Report()
    backend_input = check(Sources(package.folder / "specs"), report).backend_input
    assert backend_input is not None
    for file in strategy_tests.plan(backend_input):
        (package.folder / package.name / file.path).write_bytes(file.content)
    strategies = package.hub("strategies")
    path = package.folder / package.name / "things_example_com/hub/strategies.py"
    text = path.read_text(encoding="utf-8")
    assert right in text
    tests = package.module(STRATEGY_MODULE.replace("/", "."))
    for test in functions_of(tests).values():
        test()
    exec(compile(text.replace(right, wrong), str(path), "exec"), vars(strategies))
    try:
        with pytest.raises(AssertionError):
            for test in functions_of(importlib.reload(tests)).values():
                test()
    finally:
        exec(compile(text, str(path), "exec"), vars(strategies))
        importlib.reload(tests)
