"""A small API in a folder, and what tests ask of its surface."""

from __future__ import annotations

import subprocess
from pathlib import Path

from apigen.diagnostics import Diagnostic, Report
from apigen.inputs.source import Setting
from apigen.ir.surface import Struct, Surface, TypeName
from apigen.review.sources.loading import load

GROUP = "things.example.com"
HEADER = """\
group: things.example.com
versions:
  v1: {introduced: "1.2", storage: true}
hub: v1
kinds:
  Thing: {scope: Namespaced, plural: things, shortNames: [th], subresources: {status: {}}}
"""
TYPES = """\
types:
  Thing:
    doc: A thing.
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      size: {type: int32, protobuf: 2, minimum: 0, default: 3}
"""


def write_things(folder: Path, types: str = TYPES, header: str = HEADER) -> Path:
    """A spec folder with one group of one version."""
    group = folder / GROUP
    group.mkdir(parents=True, exist_ok=True)
    (group / "group.yaml").write_text(header, encoding="utf-8")
    (group / "v1.yaml").write_text(types, encoding="utf-8")
    return folder


def loaded(said: str, setting: Setting) -> Surface:
    """A surface that can be loaded without any diagnostic."""
    report = Report()
    found = load(said, setting, report)
    assert found is not None and not report.diagnostics, report.diagnostics
    return found


def rejected(said: str, setting: Setting) -> Diagnostic:
    """The first error of an input that cannot be loaded."""
    report = Report()
    assert load(said, setting, report) is None
    return report.diagnostics[0]


def struct(surface: Surface, name: str, version: str = "v1") -> Struct:
    """A struct of the group."""
    found = surface.type(TypeName(GROUP, version, name))
    assert isinstance(found, Struct)
    return found


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder."""
    command = ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@example.com", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def repository(folder: Path) -> Path:
    """A repository with specs in `api-specs`, committed once on `main`."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    write_things(folder / "api-specs")
    commit(folder)
    return folder


def commit(folder: Path) -> None:
    """Commit everything."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message=x")
