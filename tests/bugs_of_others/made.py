"""Specs in the text of tests, compiled or validated. Groups are named one, two, …; kinds have no list type, so that
they need no other types.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

from apigen.codegen.pipeline import Checked, Sources, check
from apigen.diagnostics import Report
from tests.generating import generate_from

Files = Mapping[str, str]


def two_versions(v1: str, v1beta1: str, *, kinds: str = "{Thing: {list: false}}", name: str = "one") -> dict[str, str]:
    """A group whose hub follows v1."""
    header = f"group: {name}.example.com\nversions: {{v1beta1: {{}}, v1: {{storage: true}}}}\nhub: v1\nkinds: {kinds}\n"
    return {f"{name}/group.yaml": header, f"{name}/v1.yaml": types(v1), f"{name}/v1beta1.yaml": types(v1beta1)}


def types(text: str) -> str:
    """The types of a version, from a block that is indented as the test is."""
    body = "\n".join(f"  {line}" for line in dedent(text).strip("\n").splitlines())
    return f"types:\n{body}\n"


class Package:
    """A compiled package."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder / name
        self.scheme: Any = self.module("scheme")
        self.error: Any = self.module("runtime.errors").ConversionError

    def module(self, path: str) -> Any:
        """A module of the package."""
        return importlib.import_module(f"{self.name}.{path}")

    def make(self, version: str, group: str = "one", **fields: object) -> Any:
        """A Thing of a version, from what its JSON holds."""
        return self.scheme.decode(document(version, group, fields), "application/yaml", default=False, unknown="error")

    def text(self, obj: object) -> str:
        """The JSON of an object."""
        return str(self.scheme.encode(obj).decode())


def document(version: str, group: str, fields: Mapping[str, object]) -> str:
    """The YAML of a Thing."""
    import yaml

    return yaml.safe_dump({"apiVersion": f"{group}.example.com/{version}", "kind": "Thing", **fields})


def build(files: Files, folder: Path, *, hand: Files | None = None, groups: tuple[str, ...] | None = None) -> Package:
    """Compile specs, and hand-written functions by path below their folder."""
    written = _write(hand, folder / f"hand_{len(list(folder.iterdir()))}") if hand else None
    sys.path.insert(0, str(folder))
    try:
        sources = Sources(_write(files, folder / "specs"), written, groups=groups, copied_from="generated")
        return Package(generate_from(sources, folder), folder)
    finally:
        sys.path.remove(str(folder))


def check_files(files: Files, folder: Path, *, groups: tuple[str, ...] | None = None) -> tuple[Checked, list[str]]:
    """What is wrong with specs: code, place and message of each error."""
    report = Report()
    specs = _write(files, folder / "specs")
    checked = check(Sources(specs, None, specs, groups=groups), report)
    return checked, [f"{d.code} {d.place}: {d.message}" for d in report.diagnostics if d.severity == "error"]


def _write(files: Files, folder: Path) -> Path:
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder
