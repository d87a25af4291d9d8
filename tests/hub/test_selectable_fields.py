"""The paths of `selectableFields:` are those of the hub, also of a kind that lives in another group's."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report

SPECS = {
    "own/group.yaml": """
        group: own.example.com
        versions: {v1: {introduced: "1.0", storage: true}}
        hub: v1
        kinds: {Thing: {scope: Cluster, plural: things, selectableFields: {label: OWN}}}
        """,
    "own/v1.yaml": """
        types:
          Thing:
            fields:
              metadata: {type: meta/v1.ObjectMeta, required: false}
              size: {type: int32, omitEmpty: true, hub: width}
              parts: {type: "[]Part", omitEmpty: true}
          Part: {fields: {name: {type: string}}}
        """,
    "other/group.yaml": """
        group: other.example.com
        versions: {v1: {introduced: "1.0"}}
        kinds: {Thing: {scope: Cluster, plural: things, hub: own/hub.Thing, selectableFields: {label: OTHER}}}
        """,
    "other/v1.yaml": """
        types:
          Thing:
            fields:
              metadata: {type: meta/v1.ObjectMeta, required: false}
              wide: {type: int32, omitEmpty: true, hub: width}
              parts: {type: "[]Part", omitEmpty: true}
          Part: {fields: {name: {type: string}}}
        """,
}


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("width", None),
        ("metadata.name", None),
        ("metadata.labels[a]", None),
        ("parts[0].name", None),
        ("size", "`size` does not exist: Thing has no field `size`"),
        ("wide", "`wide` does not exist: Thing has no field `wide`"),
        ("parts", "`parts` is no single value, and a field selector compares one"),
        ("metadata", "`metadata` is no single value, and a field selector compares one"),
    ],
)
@pytest.mark.parametrize("group", ["own", "other"])
def test_paths(tmp_path: Path, group: str, path: str, problem: str | None) -> None:
    paths = {"own": "width", "other": "width", group: f'"{path}"'}
    for name, text in SPECS.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        text = text.replace("OWN", paths["own"]).replace("OTHER", paths["other"])
        file.write_text(dedent(text), encoding="utf-8")
    report = Report()
    check(Sources(tmp_path, None, tmp_path), report)
    found = [(d.code, d.place.file, d.message) for d in report.diagnostics if d.severity == "error"]
    assert found == ([] if problem is None else [("AG0616", f"{group}/group.yaml", problem)])
