"""Compiles a group of a surface into a package that a trial can import."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from apigen.compat.surface.surface import Group, Surface
from apigen.compat.witnesses.as_written import AsWritten, first_error
from apigen.compat.witnesses.lowering.group import write_group
from apigen.compat.witnesses.lowering.problem import NotLoweredError
from apigen.compilation import Compilation
from apigen.dataclass import dataclass
from apigen.diagnostics import Report
from apigen.pipeline import compile_unruled, generate
from apigen.spec.load import load_api

BACKENDS = ("json", "protobuf", "defaults", "conversions", "strategies", "validation", "copying")
"""What a trial runs."""


@dataclass(frozen=True, slots=True)
class GroupSide:
    """One side of a trial: what the review knows of a group, and the specs that it comes from, if it does.

    `is_alone`: its only version is tried for itself, whatever its conversions are.
    """

    surface: Surface
    group: Group
    written: AsWritten
    is_alone: bool = False


def build(side: GroupSide, kinds: Iterable[str], versions: Iterable[str], folder: Path, name: str) -> None:
    """Write the package `name` below a folder. Raises NotLoweredError, with the reason, where that is not possible.

    It is made of the surface, be it of specs or not; where that does not say enough, of the specs as they are written.
    """
    try:
        _build(side, set(kinds), versions, folder, name)
    except RecursionError:
        raise NotLoweredError("its types are nested too deeply to be compiled") from None


def _build(side: GroupSide, kinds: set[str], versions: Iterable[str], folder: Path, name: str) -> None:
    try:
        compilation = _lowered(side, kinds, versions, folder / f"{name}_specs")
    except NotLoweredError as error:
        compilation = side.written.compiled(side.group.name, kinds, str(error))
    for file in generate(compilation, backends=BACKENDS):
        path = folder / name / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)


def _lowered(side: GroupSide, kinds: set[str], versions: Iterable[str], folder: Path) -> Compilation:
    folder.mkdir(parents=True)
    write_group(side.surface, side.group, kinds, versions, folder, is_alone=side.is_alone)
    report = Report()
    specs = load_api(folder, report)
    compilation = None if report.has_errors else compile_unruled(specs, report)
    if compilation is None:
        raise NotLoweredError(f"it cannot be compiled: {first_error(report)}")
    return compilation
