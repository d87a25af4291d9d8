"""What defaults of Kubernetes' generators omit or get wrong, and here do not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bugs_of_others.made import Package, build, types

GATE = "Wide: {stages: [{release: '1.8', stage: alpha}, {release: '1.9', stage: beta, default: true}]}\n"
FILES = {
    "features.yaml": GATE,
    "one/group.yaml": "group: one.example.com\nversions: {v1: {}}\nkinds: {Thing: {list: false}}\n",
    "one/v1.yaml": types("""
        Thing:
          fields:
            parts: {type: "map[string]Part", omitEmpty: true}
            rows: {type: "map[string]Row", omitEmpty: true}
            list: {type: "[]Part", omitEmpty: true}
            count: {type: int32, optional: true, default: 3}
            plain: {type: int32, omitEmpty: true, default: 4}
            built: {type: Part, optional: true, default: {value: {}}}
            words: {type: "[]string", omitEmpty: true, default: {value: [a]}}
            set: {type: "[]string", omitEmpty: true, default: {value: [a], emptyIsSet: true}}
            title: {type: string, omitEmpty: true, default: {from: name}}
            name: {type: string, omitEmpty: true}
            wide: {type: int32, optional: true, default: {when: {gate: Wide}, value: 9}}
            mode: {type: string, omitEmpty: true, default: [{when: {name: x}, value: X}, {value: other}]}
        Row: {is: "[]Part", nullable: true}
        Part: {fields: {size: {type: int32, optional: true, default: 1}}}
        """),
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return build(FILES, tmp_path_factory.mktemp("defaults"))


def defaulted(package: Package, gates: str = "", **fields: Any) -> Any:
    obj = package.make("v1", **fields)
    package.scheme.default(obj, features=features(package, gates))
    return obj


def features(package: Package, gates: str) -> Any:
    made = package.scheme.features()
    made.set_text(gates)
    return made


def test_defaults_below_map_values(package: Package) -> None:
    """There values of maps are never visited."""
    obj = defaulted(package, parts={"a": {}, "b": {"size": 5}}, rows={"none": None, "some": [{}]}, list=[{}])
    assert [part.size for part in obj.parts.values()] == [1, 5]
    assert (obj.rows["none"], obj.rows["some"][0].size, obj.list[0].size) == (None, 1, 1)


def test_pointers_and_containers(package: Package) -> None:
    """`None` is unset, an explicit zero is set; a struct created by a default gets its own defaults."""
    obj = defaulted(package)
    assert (obj.count, obj.plain, obj.built.size, obj.words, obj.set) == (3, 4, 1, ["a"], ["a"])
    obj = defaulted(package, count=0, words=[], set=[])
    assert (obj.count, obj.words, obj.set) == (0, ["a"], [])


def test_default_values_are_not_shared(package: Package) -> None:
    one, other = defaulted(package), defaulted(package)
    one.words.append("b")
    assert other.words == ["a"] and one.built is not other.built


def test_default_by_condition_sibling_and_gate(package: Package) -> None:
    """There all of these are functions by hand."""
    obj = defaulted(package, name="x")
    assert (obj.title, obj.mode, obj.wide) == ("x", "X", 9)
    obj = defaulted(package, "Wide=false")
    assert (obj.title, obj.mode, obj.wide) == ("", "other", None)


def test_defaults_run_on_decode_only_and_are_idempotent(package: Package) -> None:
    scheme = package.scheme
    obj = package.make("v1")
    assert package.text(obj) == '{"kind":"Thing","apiVersion":"one.example.com/v1"}'
    decoded = scheme.decode(package.text(obj))
    assert decoded.count == 3
    again = scheme.copy(decoded)
    scheme.default(again)
    assert again == decoded
