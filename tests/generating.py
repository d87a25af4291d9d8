"""Compiles specs into a package that a test can import; each gets a name of its own."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.pipeline import Sources, check, generate

_numbers = count()


def generate_package(specs: Path, folder: Path, hand_written: Path | None = None) -> str:
    """Compile `specs` into a new package below `folder`; returns its name. Diagnostics of any kind fail the test."""
    report = Report()
    checked = check(Sources(specs, hand_written, specs), report)
    assert checked.compilation is not None and not report.has_errors, render(report.diagnostics)
    name = f"compiled_{next(_numbers)}"
    for file in generate(checked.compilation):
        path = folder / name / str(file.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
    return name
