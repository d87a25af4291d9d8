"""Writes random APIs as spec folders, and reads them as a compiler does; those that are not valid are omitted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Diagnostic, Report, Severity
from apigen.diagnostics.printers.text import render
from apigen.ir.surface import Surface
from apigen.review.sources.api.surface_of import Own, surface_of
from tests.review.model.families import Spec

OTHER: Spec = {
    "group": "other.example.com",
    "hub": "v1",
    "kinds": {"Other": {"scope": "Namespaced"}},
    "versions": {"v1": {"storage": True, "types": {"Other": {"fields": {"name": {"type": "string"}}}}}},
}
"""What there is where there is nothing else: specs have a group at least."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a folder of specs says, and the first error of each group that was not valid."""

    surface: Surface
    backend_input: BackendInput
    problems: dict[str, str]


def checked(specs: dict[str, Spec], groups: Iterable[str], root: Path) -> Checked:
    """Write some groups into a new folder, and read them; the gates of all groups come along."""
    root.mkdir(parents=True)
    left = {group: specs[group] for group in groups}
    gates = dict(specs)
    problems: dict[str, str] = {}
    for spec in left.values() or (OTHER,):
        _write_group(root, spec)
    for _ in range(10):
        features = {name: said for spec in gates.values() for name, said in spec["features"].items()}
        _write(root / "features.yaml", features)
        report = Report()
        found = check(Sources(root), report)
        if found.backend_input is not None and not report.has_errors:
            break
        for group in _broken_groups(report) & gates.keys():
            del gates[group]
            if left.pop(group, None) is None:  # only its gates are here
                continue
            problems[group] = _first_error(report, group)
            _remove_group(root / group)
            if not left:
                _write_group(root, OTHER)
    assert found.backend_input is not None and found.api is not None, render(report.diagnostics)
    surface = surface_of(found.api, root.name, "specs", None, Own(found.own, frozenset(features)))
    return Checked(surface, found.backend_input, problems)


def _broken_groups(report: Report) -> set[str]:
    """The groups that have errors, they or their gates."""
    return {group for each in report.diagnostics if each.severity is Severity.ERROR for group in _groups_of(each)}


def _first_error(report: Report, group: str) -> str:
    """The first error of a group."""
    errors = (each for each in report.diagnostics if each.severity is Severity.ERROR and group in _groups_of(each))
    return next((f"{each.code} {each.message}" for each in errors), "")


def _groups_of(error: Diagnostic) -> set[str]:
    """Return the groups that an error is about; gates are named after them, and declared in one file."""
    if error.place.file.endswith("features.yaml"):
        return {f"{name}.example.com" for name in re.findall(r"`(g\d+)[A-Z]", error.message)}
    return {error.place.file.split("/")[-2]} if "/" in error.place.file else set()


def _write_group(root: Path, spec: Spec) -> None:
    """Write a group folder."""
    folder = root / spec["group"]
    folder.mkdir()
    headers = {name: {k: v for k, v in version.items() if k != "types"} for name, version in spec["versions"].items()}
    header = {word: spec[word] for word in ("group", "hub", "kinds", "tombstones") if word in spec}
    header["versions"] = headers
    _write(folder / "group.yaml", header)
    for name, version in spec["versions"].items():
        _write(folder / f"{name}.yaml", {"types": version["types"]})


def _remove_group(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()


def _write(path: Path, content: object) -> None:
    """Write YAML: JSON is YAML, too, and sooner written."""
    path.write_text(json.dumps(content), encoding="utf-8")
