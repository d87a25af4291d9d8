"""Reads Go that a test writes as text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from apigen.diagnostics import Report
from apigen.inputs.go.model import GoPackage, GoTypeDeclaration
from apigen.inputs.go.packages import read_packages
from apigen.inputs.go.roots import GoRoot

PATH = "example.com/things"


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Files below a folder, by their paths."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def read(folder: Path, files: Mapping[str, str | bytes]) -> tuple[tuple[GoPackage, ...], Report]:
    """The packages of a module that has these files."""
    report = Report()
    return read_packages([GoRoot(write(folder, files), PATH, "things")], report), report


def read_types(folder: Path, body: str) -> tuple[tuple[GoTypeDeclaration, ...], Report]:
    """The types of one file of one package, given without its clause."""
    packages, report = read(folder, {"v1/types.go": f"package v1\n\n{body}\n"})
    return (packages[0].types if packages else ()), report


def codes(report: Report) -> list[str]:
    return [diagnostic.code for diagnostic in report.diagnostics]
