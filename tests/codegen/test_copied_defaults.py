"""Defaults that copy lists and maps of structs from another field, in an output with defaults only."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from textwrap import dedent

import pytest

from apigen.codegen.pipeline import Sources, check, generate
from apigen.diagnostics import Report
from tests.generating import write

SPECS = {
    "group.yaml": """
        group: things.example.com
        versions: {v1: {introduced: "1.0"}}
        kinds: {Thing: {scope: Namespaced, plural: things, list: false}}
        """,
    "v1.yaml": """
        types:
          Parts: {is: "[]Part", nullable: true}
          Thing:
            fields:
              parts: {type: "map[string]Parts", omitEmpty: true, protobuf: 1}
              copies: {type: "map[string]Parts", omitEmpty: true, protobuf: 2, default: {from: parts}}
          Part:
            fields:
              size: {type: int32, protobuf: 1, required: false}
        """,
}


def test_defaults_alone_copy_structs_and_null_items(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    specs = tmp_path / "specs"
    for name, text in SPECS.items():
        write(specs / "things.example.com" / name, dedent(text).encode())
    checked = check(Sources(specs), Report())
    assert checked.backend_input is not None
    for file in generate(checked.backend_input, backends=["defaults"]):
        write(tmp_path / "copied_defaults" / file.path, file.content)
    monkeypatch.syspath_prepend(tmp_path)
    types = import_module("copied_defaults.things_example_com.v1.types")
    defaults = import_module("copied_defaults.things_example_com.v1.defaults")
    part = types.Part(size=1)
    thing = types.Thing(parts={"a": [part], "b": None})
    defaults.default_thing(thing, None)
    assert thing.copies == thing.parts
    assert thing.copies["a"][0] is not part
