"""Defaults that clear (`value: null`), of every type, alone and as one of several cases."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from textwrap import dedent
from typing import Any

import pytest

from tests.generating import generate_package

CLEARED: dict[str, tuple[str, Any]] = {
    "part": ("{type: Part, optional: true}", {"size": 1}),
    "sized": ("{type: Part, omitEmpty: true}", {"size": 1}),
    "parts": ('{type: "[]Part", omitEmpty: true}', [{"size": 1}]),
    "nullables": ('{type: "[]Part", nullable: true, required: false}', [{"size": 1}]),
    "byName": ('{type: "map[string]Part", omitEmpty: true}', {"a": {"size": 1}}),
    "text": ("{type: string, omitEmpty: true}", "a"),
    "maybe": ("{type: string, optional: true}", ""),
    "number": ("{type: int32, omitEmpty: true}", 3),
    "flag": ("{type: bool, optional: true}", False),
    "color": ("{type: Color, omitEmpty: true}", "Red"),
    "amount": ("{type: Quantity, omitEmpty: true}", "5"),
    "port": ("{type: IntOrString, omitEmpty: true}", "http"),
    "since": ("{type: Time, optional: true}", "2020-01-02T03:04:05Z"),
    "raw": ("{type: bytes, omitEmpty: true}", "YQ=="),
}
"""Field -> its definition, and a value that is there."""

CLEARS = "default: {when: {mode: Clear}, value: null, overwrite: true}"
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
              mode: {type: string, omitEmpty: true}
              FIELDS
              choice:
                type: Part
                optional: true
                default:
                  - {when: {mode: Clear}, value: null, overwrite: true}
                  - {when: {mode: Fill, unset: choice.size}, value: {size: 7}, overwrite: true}
          Part: {fields: {size: {type: int32, optional: true}}}
          Color: {enum: {Red: {}}}
        """,
}


def specs() -> dict[str, str]:
    fields = "\n      ".join(f"{name}: {definition[:-1]}, {CLEARS}}}" for name, (definition, _) in CLEARED.items())
    return {path: dedent(text).replace("FIELDS", fields) for path, text in SPECS.items()}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of the compiled package."""
    folder = tmp_path_factory.mktemp("defaults")
    for path, text in specs().items():
        file = folder / "specs" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    name = generate_package(folder / "specs", folder)
    sys.path.insert(0, str(folder))
    yield name
    sys.path.remove(str(folder))


def defaulted(package: str, given: dict[str, Any]) -> dict[str, Any]:
    codec: Any = import_module(f"{package}.things_example_com.v1.json_codec")
    defaults: Any = import_module(f"{package}.things_example_com.v1.defaults")
    thing = codec.decode_thing(given, "")
    defaults.default_thing(thing, import_module(f"{package}.scheme").features(release="1.0"))
    found: dict[str, Any] = codec.encode_thing(thing)
    return found


@pytest.mark.parametrize("name", CLEARED)
def test_set_values_are_cleared(package: str, name: str) -> None:
    value = CLEARED[name][1]
    assert defaulted(package, {"mode": "Clear", name: value}) == {"mode": "Clear", "nullables": None}


@pytest.mark.parametrize("name", CLEARED)
def test_set_values_are_kept_if_the_condition_is_false(package: str, name: str) -> None:
    value = CLEARED[name][1]
    assert defaulted(package, {"mode": "Keep", name: value}) == {"mode": "Keep", "nullables": None, name: value}


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"mode": "Clear", "choice": {"size": 1}}, {}),
        ({"mode": "Fill"}, {"choice": {"size": 7}}),
        ({"mode": "Fill", "choice": {}}, {"choice": {"size": 7}}),
        ({"mode": "Fill", "choice": {"size": 0}}, {"choice": {"size": 0}}),
        ({"choice": {}}, {"choice": {}}),
    ],
)
def test_one_case_clears_and_another_sets_the_value(package: str, given: dict[str, Any], found: dict[str, Any]) -> None:
    mode = {"mode": given["mode"]} if "mode" in given else {}
    assert defaulted(package, given) == {**mode, "nullables": None, **found}
