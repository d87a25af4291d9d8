"""The shape of hubs that several groups share."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.ir.model import Presence, Struct, TypeId

OLDER = """
    group: a.example.com
    versions:
      v1: {introduced: "1.1", storage: true}
    hub: v1
    kinds:
      Thing: {scope: Namespaced, plural: things, list: false, hub: b.example.com/hub.Thing}
"""
OLDER_TYPES = """
    types:
      Thing:
        deprecated: "1.2"
        removed: "1.4"
        fields:
          count: {type: int64, optional: true, hub: {to: size, absent: 0}}
"""
OWNER = """
    group: b.example.com
    versions:
      v1beta1: {introduced: "1.1", deprecated: "1.3", removed: "1.6"}
      v1: {introduced: "1.2", storage: true}
    hub: v1
    kinds:
      Thing: {scope: Namespaced, plural: stuff, list: false}
"""
OWNER_TYPES = """
    types:
      Thing:
        fields:
          size: {type: int32}
"""


def hub_of(tmp_path: Path, versions: tuple[str, ...] = ("v1", "v1beta1")) -> Struct:
    files = {"a.example.com/group.yaml": OLDER, "a.example.com/v1.yaml": OLDER_TYPES, "b.example.com/group.yaml": OWNER}
    for version in ("v1", "v1beta1"):
        files[f"b.example.com/{version}.yaml"] = OWNER_TYPES if version in versions else "types: {}"
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(dedent(text))
    report = Report()
    checked = check(Sources(tmp_path, None, tmp_path), report)
    assert checked.backend_input is not None, render(report.diagnostics)
    found = checked.backend_input.types[TypeId("b.example.com", "hub", "Thing")]
    assert isinstance(found, Struct)
    return found


def test_hub_prefers_the_fields_of_its_own_group(tmp_path: Path) -> None:
    """Otherwise the hub would take the fields and lifecycle of the group that is first in alphabetical order."""
    thing = hub_of(tmp_path)
    assert [(f.json_name, str(f.type), f.presence) for f in thing.fields] == [("size", "int32", Presence.PLAIN)]
    assert thing.lifecycle.deprecated is None
    assert thing.kind is not None
    assert thing.kind.plural == "stuff"


def test_hub_prefers_own_group_even_in_an_unfollowed_version(tmp_path: Path) -> None:
    thing = hub_of(tmp_path, ("v1beta1",))
    assert [(f.json_name, str(f.type)) for f in thing.fields] == [("size", "int32")]
    assert thing.kind is not None
    assert thing.kind.plural == "stuff"
