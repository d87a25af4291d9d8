"""Compiles specs into a package that a test can import; each gets a name of its own."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from apigen.codegen.backend_input import Compilation
from apigen.codegen.pipeline import Sources, check, generate
from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render

_numbers = count()


def generate_package(specs: Path, folder: Path, hand_written: Path | None = None) -> str:
    """Compile `specs` into a new package below `folder`; returns its name. Errors fail the test."""
    return generate_from(Sources(specs, hand_written, specs), folder)


def generate_from(sources: Sources, folder: Path) -> str:
    """Compile what `sources` choose, likewise."""
    report = Report()
    checked = check(sources, report)
    assert checked.compilation is not None and not report.has_errors, render(report.diagnostics)
    return write_package(checked.compilation, folder)


def write_package(compilation: Compilation, folder: Path) -> str:
    """Write everything that is generated into a new package below `folder`; returns its name."""
    name = f"compiled_{next(_numbers)}"
    for file in generate(compilation):
        path = folder / name / str(file.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
    return name
