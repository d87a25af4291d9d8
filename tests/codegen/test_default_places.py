"""Which places are defaulted: by path within lists and maps, absent ones and empty ones too; none of a plain version."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.generating import generate_package

SPECS = {
    "things.example.com/group.yaml": """
        group: things.example.com
        versions: {v1: {introduced: "1.0"}}
        kinds: {Thing: {scope: Namespaced, plural: things, list: false}}
        """,
    "things.example.com/v1.yaml": """
        types:
          Thing:
            fields:
              byName: {type: "map[string]Part", omitEmpty: true, protobuf: 1}
              always: {type: "map[string]Part", protobuf: 2, required: false}
              shelves: {type: "map[string]Shelf", omitEmpty: true, protobuf: 3}
              lists: {type: "[]Shelf", omitEmpty: true, protobuf: 4}
            defaults:
              byName[].size: 1
              always[].size: 2
              shelves[].parts[].size: 3
              shelves[].byName[].size: 4
              lists[].byName[].size: 5
          Shelf:
            fields:
              parts: {type: "[]Part", omitEmpty: true, protobuf: 1}
              byName: {type: "map[string]Part", omitEmpty: true, protobuf: 2}
          Part:
            fields:
              size: {type: int32, optional: true, protobuf: 1}
              kept: {type: string, omitEmpty: true, protobuf: 2}
        """,
}

CASES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"byName": {}, "always": {}, "shelves": {}, "lists": []}, {}),
    (
        {"byName": {"a": {}, "b": {"size": 9, "kept": "k"}}},
        {"byName": {"a": {"size": 1}, "b": {"size": 9, "kept": "k"}}},
    ),
    ({"always": {"a": {}}}, {"always": {"a": {"size": 2}}}),
    (
        {"shelves": {"a": {"parts": [{}, {"size": 0}], "byName": {"b": {}}}, "c": {}}},
        {"shelves": {"a": {"parts": [{"size": 3}, {"size": 0}], "byName": {"b": {"size": 4}}}, "c": {}}},
    ),
    ({"lists": [{"byName": {"b": {}}}, {}]}, {"lists": [{"byName": {"b": {"size": 5}}}, {}]}),
]


def compile_to(folder: Path, specs: Mapping[str, str]) -> str:
    """Compile specs by path to a package in `folder`; its name."""
    for path, text in specs.items():
        file = folder / "specs" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text), encoding="utf-8")
    return generate_package(folder / "specs", folder)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of the compiled package."""
    folder = tmp_path_factory.mktemp("defaults")
    name = compile_to(folder, SPECS)
    sys.path.insert(0, str(folder))
    yield name
    sys.path.remove(str(folder))


@pytest.mark.parametrize(("given", "wanted"), CASES)
def test_values_of_maps_are_defaulted(package: str, given: dict[str, Any], wanted: dict[str, Any]) -> None:
    codec: Any = import_module(f"{package}.things_example_com.v1.json_codec")
    defaults: Any = import_module(f"{package}.things_example_com.v1.defaults")
    features = import_module(f"{package}.scheme").features(release="1.0")
    thing = codec.decode_thing(given, "")
    defaults.default_thing(thing, features)
    found = {key: value for key, value in codec.encode_thing(thing).items() if value and key in given}
    assert found == wanted


PLAIN = {
    "parts.example.com/group.yaml": """
        group: parts.example.com
        versions: {v1: {introduced: "1.0"}}
        """,
    "parts.example.com/v1.yaml": """
        types:
          Part:
            fields:
              size: {type: int32, optional: true, default: 1, protobuf: 1}
        """,
    "plain.example.com/group.yaml": """
        group: plain.example.com
        versions: {v1alpha1: {defaulted: false}, v1: {introduced: "1.0", storage: true}}
        hub: v1
        kinds: {Thing: {scope: Namespaced, plural: things}}
        """,
    **dict.fromkeys(
        ("plain.example.com/v1alpha1.yaml", "plain.example.com/v1.yaml"),
        """
        types:
          Thing:
            fields:
              metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
              part: {type: parts/v1.Part, optional: true, protobuf: 2}
              byName: {type: "map[string]Holder", omitEmpty: true, protobuf: 3}
          Holder:
            fields:
              parts: {type: "[]parts/v1.Part", omitEmpty: true, protobuf: 1}
        """.replace("parts/v1", "parts.example.com/v1"),
    ),
}


def test_version_without_defaults_keeps_nested_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same types as in the version next to it, which is defaulted."""
    monkeypatch.syspath_prepend(tmp_path)
    scheme: Any = import_module(f"{compile_to(tmp_path, PLAIN)}.scheme")
    body = {"kind": "Thing", "metadata": {}, "part": {}, "byName": {"a": {"parts": [{}]}}}
    filled = {**body, "part": {"size": 1}, "byName": {"a": {"parts": [{"size": 1}]}}}
    for version, wanted in (("v1alpha1", body), ("v1", filled)):
        document = {"apiVersion": f"plain.example.com/{version}", **body}
        for data in (document, {**document, "kind": "ThingList", "items": [document]}):
            obj = scheme.decode(json.dumps(data), "application/json")
            found = json.loads(scheme.encode(obj, "application/json"))
            for thing in found.get("items", [found]):
                assert {key: thing[key] for key in wanted} == wanted
