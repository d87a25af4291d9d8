"""`{from: path, into: member}`: a default that builds a struct round the value of another field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from apigen.codegen.defaults import backend as defaults
from tests.codegen.generated_packages import BACKENDS, Package, compiled, generate_package, one_version

FROBBER = """
    Frobber:
      fields:
        selector: {type: Selector, optional: true}
        lenient: {type: Selector, optional: true}
        template: {type: Template, optional: true}
        named: {type: Selector, optional: true, default: {from: taste, into: text}}
        taste: {type: Flavour, omitEmpty: true}
      defaults:
        selector: {from: template.labels, into: labels, emptyIsSet: true}
        lenient: {from: template.labels, into: labels}
    Selector:
      fields:
        labels: {type: "map[string]string", omitEmpty: true}
        text: {type: string, omitEmpty: true}
    Template:
      fields:
        labels: {type: "map[string]string", omitEmpty: true}
    Flavour:
      enum: {Sweet: {}}
"""
KINDS = "Frobber: {scope: Namespaced, plural: frobbers, list: false}"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Package:
    files: Mapping[str, str] = one_version(FROBBER, KINDS)
    backend_input = compiled(files, tmp_path / "specs")
    monkeypatch.syspath_prepend(tmp_path)
    return generate_package(backend_input, tmp_path, (*BACKENDS, defaults.plan))


@pytest.fixture
def defaulted(package: Package) -> Callable[..., Any]:
    types: Any = package.module("things_example_com/v1/types")
    module: Any = package.module("things_example_com/v1/defaults")

    def run(labels: dict[str, str] | None, **given: Any) -> Any:
        obj = types.Frobber(template=types.Template(labels=labels), **given)
        module.default_frobber(obj, None)
        return obj

    return run


def test_struct_is_built_around_the_value(defaulted: Callable[..., Any]) -> None:
    obj = defaulted({"a": "b"})
    assert obj.selector.labels == obj.lenient.labels == {"a": "b"}
    assert obj.selector.labels is not obj.template.labels


def test_struct_is_not_built_without_a_value(defaulted: Callable[..., Any]) -> None:
    obj = defaulted(None)
    assert (obj.selector, obj.lenient, obj.named) == (None, None, None)


def test_empty_value_builds_the_struct_if_declared(defaulted: Callable[..., Any]) -> None:
    obj = defaulted({})
    assert obj.selector.labels == {}
    assert obj.lenient is None


def test_set_values_are_preserved(package: Package, defaulted: Callable[..., Any]) -> None:
    types: Any = package.module("things_example_com/v1/types")
    assert defaulted({"a": "b"}, selector=types.Selector()).selector == types.Selector()


def test_enum_value_becomes_string(defaulted: Callable[..., Any]) -> None:
    obj = defaulted(None, taste="Sweet")
    assert obj.named.text == "Sweet"


def test_parents_are_not_built(package: Package) -> None:
    types: Any = package.module("things_example_com/v1/types")
    module: Any = package.module("things_example_com/v1/defaults")
    obj = types.Frobber()
    module.default_frobber(obj, None)
    assert obj == types.Frobber()
