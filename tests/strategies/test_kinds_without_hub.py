"""Strategies of kinds whose group has no hub: each object is treated as its own version says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bugs_of_others.made import Package, build, types

FILES = {
    "features.yaml": "Wide: {stages: [{release: '1.1', stage: alpha}]}\n",
    "one/group.yaml": (
        "group: one.example.com\nversions: {v1beta1: {introduced: '1.0'}, v1: {introduced: '1.1'}}\n"
        "kinds: {Thing: {list: false, subresources: {status: {}}}}\n"
    ),
    "one/v1beta1.yaml": types("""
        Thing:
          fields:
            metadata: {type: meta/v1.ObjectMeta, required: false}
            size: {type: int32, optional: true, minimum: 5}
            status: {type: Status, required: false}
        Status: {fields: {ready: {type: bool, omitEmpty: true}}}
        """),
    "one/v1.yaml": types("""
        Thing:
          fields:
            metadata: {type: meta/v1.ObjectMeta, required: false}
            size: {type: int32, optional: true, minimum: 1}
            width: {type: int32, optional: true, featureGate: Wide}
            status: {type: Status, required: false}
        Status: {fields: {ready: {type: bool, omitEmpty: true}}}
        """),
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return build(FILES, tmp_path_factory.mktemp("hubless"))


def test_each_version_has_its_own_strategy_steps(package: Package) -> None:
    scheme = package.scheme
    strategy, features = scheme.strategy("Thing"), scheme.features()
    old, new = package.make("v1beta1", size=3), package.make("v1", size=3, width=2)
    assert strategy.prepare_for_create(old, features=features) == []
    assert [str(dropped.path) for dropped in strategy.prepare_for_create(new, features=features)] == ["width"]
    assert [error.path for error in strategy.validate(old, features=features)] == ["size"]
    assert strategy.validate(new, features=features) == []
    assert strategy.validate_update(new, scheme.copy(new), features=features) == []
    assert strategy.validate_update(old, package.make("v1beta1", size=9), features=features)
    assert [type(strategy.from_request(obj)[0]) for obj in (old, new)] == [type(old), type(new)]


def test_all_names_of_the_kind_return_the_same_strategy(package: Package) -> None:
    """A hook that a server registers runs for objects of all versions."""
    strategy = package.scheme.strategy("Thing")
    for version in ("v1beta1", "v1"):
        assert package.scheme.strategy(type(package.make(version))) is strategy
        assert package.scheme.strategy(("one.example.com", version, "Thing")) is strategy


def test_subresources(package: Package) -> None:
    strategy, features = package.scheme.strategy("Thing", "status"), package.scheme.features()
    assert strategy.subresource == "status"
    for version in ("v1beta1", "v1"):
        old, new = package.make(version, size=6), package.make(version, size=7, status={"ready": True})
        strategy.prepare_for_update(new, old, features=features)
        assert (new.size, new.status.ready) == (6, True)
        with pytest.raises(ValueError, match="Thing/status cannot be created"):
            strategy.prepare_for_create(new, features=features)


def test_objects_of_two_versions_are_not_compared(package: Package) -> None:
    strategy, features = package.scheme.strategy("Thing"), package.scheme.features()
    old, new = package.make("v1beta1"), package.make("v1")
    error = package.module("runtime.errors").SchemeError
    for call in (strategy.prepare_for_update, strategy.validate_update):
        with pytest.raises(
            error, match=r"Thing has no hub, .*\.v1\.types\.Thing and .*\.v1beta1\.types\.Thing"
        ) as raised:
            call(new, old, features=features)
        assert "one version" in str(raised.value)
    with pytest.raises(error, match=r"v1beta1\.types\.Thing or .*v1\.types\.Thing, found a number"):
        strategy.validate(3, features=features)


def test_type_checkers_recognize_all_classes(package: Package) -> None:
    stub = Path(package.folder, "scheme.pyi").read_text(encoding="utf-8")
    assert "Strategy[one_v1beta1.Thing | one_v1.Thing]" in stub, stub[stub.find("def strategy(") :]
