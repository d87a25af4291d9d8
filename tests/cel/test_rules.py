"""Rules in generated code: when they are evaluated, and their errors."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.effort import within
from tests.generating import generate_package
from tests.type_checkers import mypy

Validate = Callable[..., list[str]]

SPECS = Path(__file__).parent / "specs"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("rules")
    sys.path.insert(0, str(folder))
    name = generate_package(SPECS, folder)
    scheme = importlib.import_module(f"{name}.scheme")
    return type("Package", (), {"scheme": scheme, "name": name, "folder": folder})


@pytest.fixture(scope="module")
def validate(package: Any) -> Validate:
    def evaluated(spec: dict[str, Any], old: dict[str, Any] | None = None, **more: Any) -> list[str]:
        scheme = package.scheme
        strategy = scheme.strategy("Frobber")
        obj = frobber(scheme, spec, **more)
        features = scheme.features()
        if old is None:
            return [str(error) for error in strategy.validate(obj, features=features)]
        return [str(e) for e in strategy.validate_update(obj, frobber(scheme, old), features=features)]

    return evaluated


def frobber(scheme: Any, spec: dict[str, Any], name: str = "f", status: dict[str, Any] | None = None) -> Any:
    data = {
        "apiVersion": "things.example.com/v1",
        "kind": "Frobber",
        "metadata": {"name": name},
        "spec": spec,
        "status": {"phase": "Ready"} if status is None else status,
    }
    return scheme.convert(scheme.decode(json.dumps(data)), "hub")


@pytest.mark.parametrize(
    ("spec", "errors"),
    [
        ({}, []),
        ({"max": 5, "since": "2020-01-01T00:00:00Z"}, []),
        ({"max": -1}, ['spec: Invalid value: "object": min is 0, max is -1']),
        ({"min": 1, "max": 2}, ['spec: Invalid value: "object": min is 0 at first']),
        (
            {"since": "2031-01-01T00:00:00Z"},
            [
                'spec: Invalid value: "object": failed rule: !has(self.since) || self.since <'
                " timestamp('2030-01-01T00:00:00Z')"
            ],
        ),
        ({"memory": "2Mi"}, []),
        ({"memory": "1024Ki"}, ['spec.memory: Invalid value: "1Mi": too little']),
        ({"ports": [{"name": "a", "number": 0}]}, ['spec.ports[0]: Invalid value: "object": must be positive']),
        (
            {"ports": [{"name": "a", "number": 1}, {"name": "b", "number": 1}]},
            ['spec.ports: Duplicate value: "array"'],
        ),
        ({"tags": ["t1", "x"]}, ["spec.tags[1]: Invalid value: \"x\": failed rule: self.startsWith('t')"]),
        ({"labels": {"bad": "1"}}, ["spec.labels: Required value: failed rule: self != 'bad'"]),
        ({"labels": {"a": ""}}, ['spec.labels[a]: Invalid value: "": failed rule: self.size() > 0']),
        ({"target": 0}, ["spec.target: Invalid value: 0: failed rule: type(self) == int ? self > 0 : self != ''"]),
        ({"target": "x"}, []),
        ({"ratio": 5}, ["spec.ratio: Invalid value: 5: failed rule: self * 2.0 < 10.0"]),
        ({"ratio": 4.5}, []),
        ({"data": "eHg="}, ["spec.data: Invalid value: \"eHg=\": failed rule: self != b'xx'"]),
        (
            {"namespace": "no"},
            ["spec: Invalid value: \"object\": failed rule: !has(self.__namespace__) || self.__namespace__ != 'no'"],
        ),
        (
            {"namespace": "never"},
            ["spec: Invalid value: \"object\": failed rule: !has(self.namespace) || self.namespace != 'never'"],
        ),
        ({"child": {"max": -1}}, ['spec.child: Invalid value: "object": min is 0, max is -1']),
        ({"child": {"child": {"max": -1}}}, ['spec.child.child: Invalid value: "object": min is 0, max is -1']),
    ],
)
def test_creation(validate: Validate, spec: dict[str, Any], errors: list[str]) -> None:
    assert validate(with_target(spec)) == errors


def with_target(spec: dict[str, Any]) -> dict[str, Any]:
    """A target that is fine, in children too, where a spec does not say one."""
    spec = {"target": 1, **spec}
    return {**spec, "child": with_target(spec["child"])} if "child" in spec else spec


def test_error_location_can_be_declared(validate: Validate) -> None:
    assert validate(with_target({}), name="much-too-long") == [
        'metadata.name: Invalid value: "object": the name is too long'
    ]


@pytest.mark.parametrize(
    ("old", "new", "errors"),
    [
        pytest.param({"max": 3}, {"max": 4}, [], id="a rule about a change"),
        pytest.param({"max": 3}, {"max": 2}, ["spec.max: Forbidden: max never shrinks"], id="a change that breaks it"),
        pytest.param({"min": 5}, {"min": 5}, [], id="an old value that is bad stays"),
        pytest.param(
            {"min": 5},
            {"min": 5, "tags": ["t"]},
            ['spec: Invalid value: "object": min is 5, max is 0'],
            id="a part changes",
        ),
        pytest.param({"tags": ["bad"]}, {"tags": ["t", "bad"]}, [], id="an element of a set stays"),
        pytest.param(
            {"tags": ["bad"]},
            {"tags": ["bad", "worse"]},
            ["spec.tags[1]: Invalid value: \"worse\": failed rule: self.startsWith('t')"],
            id="a bad one comes",
        ),
        pytest.param(
            {"ports": [{"name": "a", "number": 1}, {"name": "b", "number": 2}]},
            {"ports": [{"name": "b", "number": 2}, {"name": "a", "number": 1}]},
            [],
            id="elements are paired by their keys",
        ),
        pytest.param(
            {"ports": [{"name": "a", "number": 1}]},
            {"ports": [{"name": "c", "number": 7}, {"name": "a", "number": 2}]},
            ['spec.ports[1]: Invalid value: "object": a port keeps its number'],
            id="a new element has no old one",
        ),
        pytest.param({"labels": {"bad": "", "a": "1"}}, {"labels": {"bad": "", "a": "2"}}, [], id="entries are paired"),
        pytest.param(
            {"labels": {"a": "1"}},
            {"labels": {"a": ""}},
            ['spec.labels[a]: Invalid value: "": failed rule: self.size() > 0'],
        ),
        pytest.param({"child": {"max": 3}}, {"child": {"max": 2}}, ["spec.child.max: Forbidden: max never shrinks"]),
        pytest.param({}, {"child": {"max": 2}}, [], id="a part that is new has no old one"),
        pytest.param(
            {},
            {"child": {"min": 1, "max": 2}},
            ['spec.child: Invalid value: "object": min is 0 at first'],
            id="optional old",
        ),
    ],
)
def test_update(validate: Validate, old: dict[str, Any], new: dict[str, Any], errors: list[str]) -> None:
    assert validate(with_target(new), with_target(old)) == errors


def test_transition_rules_are_evaluated_without_changes(validate: Validate) -> None:
    grows = {"counter": {"value": 3}}
    assert validate(with_target(grows), with_target(grows)) == [
        'spec.counter: Invalid value: "object": failed rule: self.value > oldSelf.value'
    ]


def test_status_is_validated_on_update_only(validate: Validate) -> None:
    assert validate(with_target({}), status={}) == []
    assert validate(with_target({}), with_target({}), status={}) == [
        'status: Invalid value: "object": a phase is needed'
    ]


def test_evaluation_error_is_reported(validate: Validate) -> None:
    assert validate(with_target({"strict": {"divisor": 0}})) == [
        'spec.strict: Invalid value: "object": divide by zero evaluating rule: 10 / self.divisor > 1'
    ]


def test_a_message_that_fails_falls_back(validate: Validate) -> None:
    assert validate(with_target({"strict": {"divisor": 8}})) == [
        'spec.strict: Invalid value: "object": failed rule: 10 / self.divisor > 1'
    ]


@pytest.mark.slow
def test_many_elements_exceed_the_budget(validate: Validate) -> None:
    with within(3_000_000):
        errors = validate(with_target({"labels": {f"k{i}": "v" for i in range(30_000)}}))
    assert len(errors) == 1
    assert "running out of cost budget" in errors[0]


def test_rules_without_library_are_reported_and_not_skipped(package: Any) -> None:
    program = f"""
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("cel_expr_python", "google"):
            raise ImportError(name)
sys.meta_path.insert(0, Blocked())
sys.path.insert(0, {str(package.folder)!r})
from {package.name} import scheme
obj = scheme.decode('{{"apiVersion": "things.example.com/v1", "kind": "Frobber", "metadata": {{"name": "f"}}, "spec": {{"target": 1}}}}')
hub = scheme.convert(obj, "hub")
strategy = scheme.strategy("Frobber")
for error in strategy.validate(hub, features=scheme.features()):
    print(error.type.value, error)
print("update")
for error in strategy.validate_update(hub, hub, features=scheme.features()):
    print(error.type.value, error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    created, updated = done.stdout.split("update\n")
    lines = created.splitlines()
    assert len(lines) == 7  # one of metadata, four of the spec (one more is about a change only), one of the target
    assert all(
        line.startswith("InternalError ") and "cannot be evaluated without cel-expr-python" in line for line in lines
    )
    assert lines[0].endswith("the name is too long")
    assert "status" not in created
    assert [line.partition(": ")[0] for line in updated.splitlines()] == ["InternalError spec", "InternalError spec"]


def test_rules_are_compiled_on_first_evaluation(package: Any) -> None:
    program = f"""
import sys
sys.path.insert(0, {str(package.folder)!r})
from {package.name} import scheme
from {package.name}.things_example_com.hub import validation
print([name for name in sys.modules if "cel_expr" in name or name.startswith("google")])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.slow(one_in=16)
def test_type_checkers_accept_generated_code(package: Any) -> None:
    assert mypy(package.folder, "-p", package.name) == ""
