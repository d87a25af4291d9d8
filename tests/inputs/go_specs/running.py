"""Runs imports in folders of their own."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from apigen.diagnostics import Report
from apigen.diagnostics.printers import PRINTERS
from apigen.inputs.go.features import read_features
from apigen.inputs.go.importing import Imported, ImportRequest, import_go
from apigen.inputs.go.packages import read_packages
from apigen.inputs.go.roots import root_of, with_modules
from apigen.inputs.merging import write_together

GO, SPECS, OPTIONS = "go", "specs", "options.json"
RECORDS = ".imported"


@dataclass(frozen=True)
class Ran:
    """What an import reported, and the files of the spec folder after it."""

    report: Report
    imported: Imported | None
    files: Mapping[str, bytes]

    @property
    def text(self) -> str:
        """The diagnostics as people see them."""
        return PRINTERS["text"](self.report.diagnostics)


def run_import(folder: Path) -> Ran:
    """Import `go/` of a folder into its `specs/`, with what `options.json` says, and write if there is no error.

    apigen runs in the folder, as paths are shown relative to it.
    """
    options: dict[str, Any] = {}
    if (folder / OPTIONS).is_file():
        options = json.loads((folder / OPTIONS).read_text(encoding="utf-8"))
    before = Path.cwd()
    os.chdir(folder)
    try:
        return _run(options)
    finally:
        os.chdir(before)


def _run(options: Mapping[str, Any]) -> Ran:
    report = Report()
    roots = [root_of(Path(path), report) for path in options.get("paths", [GO])]
    for path, place in options.get("modules", {}).items():
        root = root_of(Path(place), report, path=path)
        roots.append(None if root is None else replace(root, is_reference=True))
    packages = read_packages(with_modules(root for root in roots if root is not None), report)
    gates = None
    if "features" in options:
        folders = [root_of(Path(place), report, path=place) for place in options["features"]]
        gates = read_features([root for root in folders if root is not None], report)
    imported = None
    if not report.has_errors:
        release = tuple(options["release"]) if "release" in options else None
        wanted = ImportRequest(packages, Path(SPECS), SPECS, gates, options.get("docs", False), release)
        imported = import_go(wanted, report)
    if imported is not None and not report.error_count:
        write_together({file.path: file.after for file in imported.written})
    return Ran(report, imported, files_of(Path(SPECS)))


def files_of(folder: Path) -> dict[str, bytes]:
    """All files below a folder, without the records of imports."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.parent.name != RECORDS)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def copied(case: Path, tmp_path: Path) -> Path:
    """A copy of a case to run in."""
    folder = tmp_path / case.name
    shutil.copytree(case, folder)
    return folder
