"""Compiles a group of a surface into a package that a trial can import."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from apigen.compat.surface.surface import Group, Surface
from apigen.compat.witnesses.lowering.group import write_group
from apigen.compat.witnesses.lowering.problem import NotLoweredError
from apigen.diagnostics import Report, Severity
from apigen.pipeline import compile_unruled, generate

BACKENDS = ("json", "protobuf", "defaults", "conversions", "strategies", "validation", "copying")
"""What a trial runs."""


def build(
    surface: Surface, group: Group, kinds: Iterable[str], versions: Iterable[str], folder: Path, name: str
) -> None:
    """Write the package `name` below a folder. Raises NotLoweredError, with the reason, where that is not possible."""
    specs = folder / f"{name}_specs"
    specs.mkdir(parents=True)
    write_group(surface, group, kinds, versions, specs)
    report = Report()
    compilation = compile_unruled(specs, report)
    if compilation is None:
        errors = (each for each in report.diagnostics if each.severity is Severity.ERROR)
        first = next(errors, None)
        raise NotLoweredError("it cannot be compiled" + (f": {first.message}" if first is not None else ""))
    for file in generate(compilation, backends=BACKENDS):
        path = folder / name / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
