"""Reads text as the tests of this folder need it."""

from __future__ import annotations

from pathlib import Path

from apigen.diagnostics import Report
from apigen.language.build_nodes import build_nodes
from apigen.language.load import load_api
from apigen.language.model import ApiSpec, FieldSpec, TypeSpec
from apigen.language.nodes import Mapping, Node, Scalar, Sequence
from apigen.language.source import SourceFile

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]

GROUP = "group: things.example.com\nversions: {v1: {storage: true}}\n"


def nodes_of(text: str, report: Report | None = None) -> Node | None:
    """The nodes of YAML text; errors fail the test unless a report is given."""
    own = Report() if report is None else report
    root = build_nodes(SourceFile(Path("x.yaml"), "x.yaml", text), own)
    if report is None:
        assert own.diagnostics == ()
    return root


def plain(node: Node | None) -> Plain:
    """The values without places."""
    match node:
        case Mapping():
            return {entry.key.text: plain(entry.value) for entry in node.entries}
        case Sequence():
            return [plain(item) for item in node.items]
        case Scalar():
            return node.value
        case None:
            raise AssertionError("nothing was read")


def write_group(folder: Path, **files: str) -> Path:
    """A spec folder with one group; the names of files are given without `.yaml`, as in `v1="types: {}"`."""
    group = folder / "specs/things.example.com"
    group.mkdir(parents=True, exist_ok=True)
    for name, text in {"group": GROUP, "v1": "types: {}\n", **files}.items():
        (group / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder / "specs"


def load(folder: Path, **files: str) -> ApiSpec:
    """The model of `write_group`, which must be without errors."""
    report = Report()
    spec = load_api(write_group(folder, **files), report, display_root=folder)
    assert [d.message for d in report.diagnostics] == []
    return spec


def load_type(folder: Path, body: str) -> TypeSpec:
    """The type `Frobber` of v1 with this body, in flow style or as a block indented by four."""
    (version,) = load(folder, v1=f"types:\n  Frobber: {body}\n").groups[0].version_files
    return version.types[0]


def load_field(folder: Path, body: str) -> FieldSpec:
    """The only field of a struct of v1, with this body."""
    return load_type(folder, f"{{fields: {{width: {body}}}}}").fields[0]
