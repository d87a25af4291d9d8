"""Compiles specs into a package that a test can import; each gets a name of its own."""

from __future__ import annotations

import importlib.util
import py_compile
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from apigen.codegen.backend_input import BackendInput
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
    assert checked.backend_input is not None and not report.has_errors, render(report.diagnostics)
    return write_package(checked.backend_input, folder)


def write_package(backend_input: BackendInput, folder: Path) -> str:
    """Write everything that is generated into a new package below `folder`; returns its name."""
    name = f"compiled_{next(_numbers)}"
    for file in generate(backend_input):
        write(folder / name / str(file.path), file.content)
    return name


def write(path: Path, content: bytes) -> None:
    """Write a generated file, with its bytecode if it belongs to the run-time library, which all packages share."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    if path.suffix == ".py" and path.parent.name == "runtime":
        compiled = Path(importlib.util.cache_from_source(str(path)))
        compiled.parent.mkdir(exist_ok=True)
        compiled.write_bytes(_bytecode(content))


@cache
def _bytecode(source: bytes) -> bytes:
    """The bytecode of a module, which Python uses as long as the source has this hash."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "module.py")
        path.write_bytes(source)
        checked = py_compile.PycInvalidationMode.CHECKED_HASH
        return Path(str(py_compile.compile(str(path), doraise=True, invalidation_mode=checked))).read_bytes()
