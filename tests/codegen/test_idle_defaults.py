"""Defaults that are zero already where nothing is set: schemas say them, and nothing is walked for them."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest

from tests.generating import generate_package

GROUP = """
    group: things.example.com
    versions: {v1: {introduced: "1.0"}}
    kinds: {Thing: {scope: Namespaced, plural: things, list: false}}
    """
TYPES = """
    types:
      Thing: {fields: {a: {type: "[]Idle", omitEmpty: true}, b: {type: "[]Busy", omitEmpty: true}}}
      Idle:
        fields:
          text: {type: string, omitEmpty: true, default: ""}
          number: {type: int32, default: 0}
          flag: {type: bool, omitEmpty: true, default: {value: false, when: {text: x}}}
      Busy:
        fields:
          text: {type: string, optional: true, default: ""}
          cleared: {type: int32, omitEmpty: true, default: {value: 0, when: {text: x}, overwrite: true}}
          chosen: {type: int32, omitEmpty: true, default: [{value: 0, when: {text: x}}, {value: 5}]}
    """


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The compiled version."""
    specs = tmp_path / "specs" / "things.example.com"
    specs.mkdir(parents=True)
    (specs / "group.yaml").write_text(dedent(GROUP), encoding="utf-8")
    (specs / "v1.yaml").write_text(dedent(TYPES), encoding="utf-8")
    return tmp_path / generate_package(tmp_path / "specs", tmp_path) / "things_example_com" / "v1"


def test_types_without_effective_defaults_have_no_function(folder: Path) -> None:
    text = (folder / "defaults.py").read_text(encoding="utf-8")
    assert "def default_thing(" in text
    assert "def default_busy(" in text
    assert "idle" not in text


def test_effective_defaults_are_generated(folder: Path) -> None:
    text = (folder / "defaults.py").read_text(encoding="utf-8")
    assert 'obj.text = ""' in text
    assert "obj.cleared = 0" in text
    assert "obj.chosen = 5" in text


def test_ineffective_defaults_are_in_the_schema(folder: Path) -> None:
    schema = json.loads((folder / "schema.json").read_text(encoding="utf-8"))
    assert '"default": ""' in json.dumps(schema)
