"""Reads `.proto` text as a surface."""

from __future__ import annotations

from pathlib import Path

from apigen.diagnostics import Report
from apigen.inputs.proto.proto import Proto
from apigen.inputs.source import Setting
from apigen.ir.surface import Enum, Field, Struct, Surface


def write(folder: Path, files: dict[str, str]) -> None:
    """Files of a tree."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def read(folder: Path, said: str, files: dict[str, str] | None = None) -> Surface:
    """The surface of an input; fails with what is wrong with it."""
    write(folder, files or {})
    report = Report()
    found = Proto().load(said, Setting(folder), report)
    assert found is not None and not report.diagnostics, report.diagnostics
    return found


def rejected(folder: Path, said: str, files: dict[str, str] | None = None) -> list[str]:
    """Return the diagnostics of an input that cannot be read: code, location, message."""
    write(folder, files or {})
    report = Report()
    assert Proto().load(said, Setting(folder), report) is None
    return [f"{each.code} {each.place}: {each.message}" for each in report.diagnostics]


def struct(surface: Surface, group: str, version: str, name: str) -> Struct:
    """A message."""
    found = surface.groups[group].versions[version].types[name]
    assert isinstance(found, Struct)
    return found


def enum(surface: Surface, group: str, version: str, name: str) -> Enum:
    """An enum."""
    found = surface.groups[group].versions[version].types[name]
    assert isinstance(found, Enum)
    return found


def field(surface: Surface, name: str, *, of: str = "Thing", group: str = "acme", version: str = "v1") -> Field:
    """A field of a message."""
    return struct(surface, group, version, of).fields[name]
