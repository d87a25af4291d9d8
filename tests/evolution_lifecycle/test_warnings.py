"""What a server warns of when it takes an object: its kind, and what is deprecated in it."""

from __future__ import annotations

import importlib
from textwrap import dedent
from typing import Any

import pytest

from tests.generating import generate_package
from tests.ir.resolving import META

GROUP = """
group: things.example.com
versions:
  v1: {introduced: "1.12", storage: true}
  v1beta1: {introduced: "1.9", deprecated: "1.12", removed: "1.15", replacement: v1}
hub: v1
kinds:
  Frobber: {plural: frobbers}
  Widget: {}
  Gadget: {}
"""
TYPES = """
types:
  Frobber:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      spec: {type: Spec, protobuf: 2}
  Spec:
    fields:
      depth: {type: int32, optional: true, protobuf: 1, deprecated: "1.11", removed: "1.20", replacement: width}
      width: {type: int32, omitEmpty: true, protobuf: 2, deprecated: "1.13"}
      size: {type: Quantity, protobuf: 3, deprecated: "1.11"}
      mode: {type: Mode, omitEmpty: true, protobuf: 4}
      modes: {type: "[]Mode", omitEmpty: true, protobuf: 5}
      parts: {type: "[]Part", omitEmpty: true, protobuf: 6}
      named: {type: "map[string]Part", omitEmpty: true, protobuf: 7}
      "x-{y}": {type: "[]string", omitEmpty: true, protobuf: 8, deprecated: "1.11", pyName: odd, protobufName: odd}
      grid: {type: "[][]Part", omitEmpty: true, protobuf: 9}
      inner: {type: Inner, optional: true, protobuf: 10}
      plain: {type: Plain, omitEmpty: true, protobuf: 11}
  Inner:
    fields: {again: {type: "[]Inner", omitEmpty: true, protobuf: 1}, flag: {type: bool, omitEmpty: true, protobuf: 2, deprecated: "1.11"}}
  Part:
    fields: {old: {type: string, omitEmpty: true, protobuf: 1, deprecated: "1.11"}}
  Plain:
    fields: {name: {type: string, omitEmpty: true, protobuf: 1}}
  Mode:
    enum: {Flat: {}, Round: {deprecated: "1.11", replacement: Flat}}
    unknown: Flat
"""
WIDGET = """
  Widget:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("warnings")
    types = TYPES.replace('"[][]Part"', '"[]Row"') + "  Row: {is: '[]Part', nullable: true}\n"
    files = {
        "group.yaml": GROUP,
        "v1.yaml": types.replace(', removed: "1.20"', "") + WIDGET,
        "v1beta1.yaml": types + WIDGET.replace("Widget", "Gadget"),
    }
    for name, text in {**{f"things.example.com/{n}": t for n, t in files.items()}, **META}.items():
        path = folder / "specs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    name = generate_package(folder / "specs", folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield importlib.import_module(f"{name}.scheme")


def read(package: Any, spec: dict[str, object], version: str = "v1") -> Any:
    import json

    return package.decode(json.dumps({"apiVersion": f"things.example.com/{version}", "kind": "Frobber", "spec": spec}))


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, []),
        ({"depth": None}, []),
        ({"depth": 0}, ['spec.depth: deprecated since v1.11, non-functional in v1.20; use "width" instead']),
        ({"width": 3}, ["spec.width: deprecated since v1.13"]),
        ({"width": 0}, []),
        ({"size": "1"}, ["spec.size: deprecated since v1.11"]),
        ({"size": "0"}, []),
        ({"mode": "Round"}, ['spec.mode: "Round" is deprecated since v1.11; use "Flat" instead']),
        ({"mode": "Flat"}, []),
        ({"modes": ["Flat", "Round"]}, ['spec.modes[1]: "Round" is deprecated since v1.11; use "Flat" instead']),
        ({"parts": [{}, {"old": "x"}]}, ["spec.parts[1].old: deprecated since v1.11"]),
        ({"named": {"a.b": {"old": "x"}}}, ["spec.named[a.b].old: deprecated since v1.11"]),
        ({"x-{y}": ["z"]}, ["spec.x-{y}: deprecated since v1.11"]),
        ({"x-{y}": []}, []),
        ({"grid": [None, [{"old": "x"}]]}, ["spec.grid[1][0].old: deprecated since v1.11"]),
        (
            {"inner": {"again": [{"again": [{"flag": True}]}]}},
            ["spec.inner.again[0].again[0].flag: deprecated since v1.11"],
        ),
        ({"plain": {"name": "x"}}, []),
    ],
)
def test_deprecated_fields_of_an_object(package: Any, spec: dict[str, object], expected: list[str]) -> None:
    assert package.warnings(read(package, spec, "v1beta1"), "1.13")[1:] == expected  # the kind comes first
    assert package.warnings(read(package, spec), "1.13") == [
        words.replace(", non-functional in v1.20", "") for words in expected
    ]


def test_nothing_is_deprecated_ahead_of_the_next_release(package: Any) -> None:
    assert package.features().release == "1.12"  # the highest `introduced:`
    assert package.warnings(read(package, {"width": 3})) == []
    assert package.warnings(read(package, {"width": 3}), "1.13") == ["spec.width: deprecated since v1.13"]


def test_kind_warning_is_first(package: Any) -> None:
    obj = read(package, {"depth": 1}, "v1beta1")
    kind = "things.example.com/v1beta1 Frobber is deprecated in v1.12+, unavailable in v1.15+; use things.example.com/v1 Frobber"
    field = 'spec.depth: deprecated since v1.11, non-functional in v1.20; use "width" instead'
    assert package.warnings(obj) == [kind, field]
    assert package.deprecation_warning(obj) == kind
    assert package.warnings(obj, "1.11") == [field]
    assert package.warnings(obj, "1.10") == []


def test_serving_follows_the_releases(package: Any) -> None:
    v1, v1beta1 = "things.example.com/v1", "things.example.com/v1beta1"
    assert package.served_versions("Frobber", "1.11") == (v1beta1,)
    assert package.served_versions("Frobber", "1.12") == (v1, v1beta1)
    assert package.served_versions("Frobber", "1.15") == (v1,)
    assert package.served_versions("Frobber", "1.15", keep_removed=True) == (v1, v1beta1)
    assert package.served_versions("Widget", "1.11") == ()
    assert package.served_versions("Frobber") == (v1, v1beta1)  # the newest release is 1.12
    assert package.storage_version("Frobber") == v1
    assert package.storage_version("Frobber", features=package.features("1.12", min_compatibility="1.11")) == v1beta1
    assert package.served_versions("Frobber", features=package.features("1.10")) == (v1beta1,)


def test_kind_missing_in_storage_version_is_stored_in_own(package: Any) -> None:
    v1beta1 = "things.example.com/v1beta1"
    assert package.storage_version("Gadget") == v1beta1
    assert package.storage_version("Gadget", features=package.features("1.12", min_compatibility="1.11")) == v1beta1
    assert package.storage_version("Widget") == "things.example.com/v1"


def test_only_deprecated_elements_have_functions(package: Any) -> None:
    module = importlib.import_module(package.__name__.replace("scheme", "things_example_com.v1.deprecations"))
    assert sorted(module.__all__) == [
        "frobber_deprecations",
        "frobber_list_deprecations",
        "inner_deprecations",
        "part_deprecations",
        "spec_deprecations",
    ]
