"""Each folder of `cases/` is a Go module, and what the reader makes of it.

`module` is read, `other` is there for what it refers to; `packages` names what is asked for, by lines. `expected.model` is
the model in the shape of Kubernetes' facts (`facts_shape`), `expected.txt` the exact text of the diagnostics.
`APIGEN_UPDATE=1` writes what comes out now. Inputs that cannot lie in a repository are tested in `test_reader_hostile`.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from apigen.diagnostics import Report
from apigen.diagnostics.codes import code_infos
from apigen.diagnostics.printers import PRINTERS
from apigen.inputs.go.model import GoField, GoPackage
from apigen.inputs.go.packages import read_packages
from apigen.inputs.go.roots import GoRoot, root_of
from tests.inputs.go.facts_shape import package_facts

CASES = Path(__file__).parent / "cases"
NAMES = sorted(folder.name for folder in CASES.iterdir() if folder.is_dir())
ELSEWHERE = {"AG1202", "AG1203", "AG1204", "AG1206", "AG1216"}
"""Codes whose inputs cannot lie here: they are in `test_reader_hostile` and `test_reader_roots`."""


def read_case(folder: Path, report: Report) -> tuple[GoPackage, ...]:
    root = root_of(folder / "module", report, display_path="module")
    if root is None:
        return ()
    roots = [root]
    if (folder / "other").is_dir():
        roots.append(GoRoot(folder / "other", "example.com/other", "other", is_reference=True))
    names = folder / "packages"
    packages = names.read_text(encoding="utf-8").split() if names.is_file() else None
    return read_packages(roots, report, packages=packages)


def shape(package: GoPackage) -> dict[str, Any]:
    """The package as the facts have it, with what they do not tell."""
    facts = package_facts(package, "", "")
    facts.pop("release")
    facts.pop("module")
    more = {"name": package.name, "registered": list(package.registered)}
    return {**facts, **({"referred": True} if package.referred else more)}


def text(packages: tuple[GoPackage, ...]) -> str:
    """JSON with one field, constant or tombstone per line."""
    lines: list[str] = []
    for package in packages:
        facts = shape(package)
        types = facts.pop("types")
        lines.append(compact(facts))
        for type_, model in zip(types, package.types, strict=True):
            for field, field_model in zip(type_.get("fields", ()), model.fields, strict=True):
                field.update(untold(field_model))
            parts = {name: type_.pop(name) for name in ("fields", "tombstones", "constants") if name in type_}
            lines.append(f"  {compact({**type_, **({} if model.doc is None else {'doc': model.doc})})}")
            lines += [f"    {name[:-1]} {compact(element)}" for name in parts for element in parts[name]]
    return "\n".join([*lines, ""])


def untold(field: GoField) -> dict[str, Any]:
    """What the facts do not tell of a field."""
    return {"doc": field.doc} if field.doc else {}


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str) -> None:
    report = Report()
    packages = read_case(CASES / name, report)
    found = {"expected.model": text(packages), "expected.txt": PRINTERS["text"](report.diagnostics)}
    for file, content in found.items():
        expected = CASES / name / file
        if os.environ.get("APIGEN_UPDATE"):
            expected.write_text(content, encoding="utf-8")
        assert content == expected.read_text(encoding="utf-8")


def test_every_code_of_the_reader_has_a_case() -> None:
    reported = {
        word.removesuffix(":")
        for name in NAMES
        for word in (CASES / name / "expected.txt").read_text(encoding="utf-8").split()
        if word.startswith("AG12")
    }
    codes = {code for code in code_infos() if "AG1201" <= code <= "AG1219"}
    assert reported | ELSEWHERE == codes
    assert not reported & ELSEWHERE
