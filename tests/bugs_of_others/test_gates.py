"""Fields behind gates: marks have an effect, drops are generated, and users are warned."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bugs_of_others.made import Package, build, types

FILES = {
    "features.yaml": "".join(f"{name}: {{stages: [{{release: '1.8', stage: alpha}}]}}\n" for name in ("A", "B")),
    "one/group.yaml": "group: one.example.com\nversions: {v1: {storage: true}}\nhub: v1\nkinds: {Thing: {list: false}}\n",
    "one/v1.yaml": types("""
        Thing:
          fields:
            metadata: {type: meta/v1.ObjectMeta, omitEmpty: true, protobuf: 1}
            both: {type: int32, optional: true, featureGate: {all: [A, B]}}
            either: {type: int32, optional: true, featureGate: {any: [A, B]}}
            parts: {type: "map[string]Row", omitEmpty: true}
            mode: {type: Mode, omitEmpty: true}
        Row: {is: "[]Part", nullable: true}
        Part: {fields: {name: {type: string}, fresh: {type: string, omitEmpty: true, featureGate: A}}}
        Mode: {enum: {Old: {}, New: {featureGate: B}}, unknown: Old}
        """),
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return build(FILES, tmp_path_factory.mktemp("gates"))


def prepared(package: Package, gates: str, old: dict[str, Any] | None = None, **fields: Any) -> tuple[Any, list[str]]:
    """The object as it is stored, and the paths of what was dropped."""
    features = package.scheme.features()
    features.set_text(gates)
    strategy = package.scheme.strategy("Thing")
    new = package.scheme.convert(package.make("v1", **fields), "hub")
    if old is None:
        dropped = strategy.prepare_for_create(new, features=features)
    else:
        before = package.scheme.convert(package.make("v1", **old), "hub")
        dropped = strategy.prepare_for_update(new, before, features=features)
    return new, [str(d.path) for d in dropped]


@pytest.mark.parametrize(
    ("gates", "both", "either"),
    [("A=true,B=true", 1, 1), ("A=true", None, 1), ("B=true", None, 1), ("A=false", None, None)],
)
def test_field_behind_two_gates(package: Package, gates: str, both: int | None, either: int | None) -> None:
    """In Kubernetes a comma joins the gates, and it is undefined whether both are needed."""
    thing, dropped = prepared(package, gates, both=1, either=1)
    assert (thing.both, thing.either) == (both, either)
    assert dropped == [name for name, value in (("both", both), ("either", either)) if value is None]


def test_drops_cover_every_path_to_the_field(package: Package) -> None:
    """There each is written by hand, and some are forgotten."""
    fields: dict[str, Any] = {"parts": {"none": None, "some": [{"name": "a", "fresh": "x"}]}}
    thing, dropped = prepared(package, "A=false", **fields)
    assert thing.parts["some"][0].fresh == "" and thing.parts["none"] is None
    assert dropped == ["parts[some][0].fresh"], "and the warning names it"
    thing, dropped = prepared(package, "A=false", old=fields, **fields)
    assert thing.parts["some"][0].fresh == "x" and not dropped, "what is in use stays"


def test_new_enum_value_behind_its_gate(package: Package) -> None:
    def errors(gates: str, old: object = None) -> list[str]:
        features = package.scheme.features()
        features.set_text(gates)
        new = package.scheme.convert(package.make("v1", mode="New"), "hub")
        strategy = package.scheme.strategy("Thing")
        found = (
            strategy.validate(new, features=features)
            if old is None
            else strategy.validate_update(new, old, features=features)
        )
        return [str(error) for error in found]

    assert errors("B=true") == []
    assert len(errors("B=false")) == 1
    assert errors("B=false", package.scheme.convert(package.make("v1", mode="New"), "hub")) == []
    assert len(errors("B=false", package.scheme.convert(package.make("v1", mode="Old"), "hub"))) == 1
