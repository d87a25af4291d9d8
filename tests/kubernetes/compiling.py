"""Packages compiled from the specs of this project, as they are or changed, for tests that import them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module, invalidate_caches
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

from apigen.codegen.pipeline import Sources, check, generate
from apigen.diagnostics import Diagnostic, Report
from apigen.language.model import ApiSpec
from tests import this_project
from tests.generating import write
from tests.kubernetes.removing import without_functions

ROOT = this_project.ROOT
SPECS = ROOT / "api-specs"
HAND_WRITTEN = ROOT / "handwritten"

_numbers = count()


class Rejected(Exception):
    """The specs have errors: nothing is compiled."""

    def __init__(self, errors: Iterable[Diagnostic]) -> None:
        self.errors = tuple(errors)
        super().__init__("; ".join(f"{error.code} {error.message}" for error in self.errors))


@dataclass(frozen=True)
class Package:
    """A compiled package that can be imported."""

    name: str

    @property
    def scheme(self) -> Any:
        """The module that users import."""
        return self.module("scheme")

    def module(self, path: str) -> ModuleType:
        return import_module(f"{self.name}.{path}")


def written_spec() -> ApiSpec:
    """What the spec files say of the kinds that this project chooses, and of what these lead to."""
    return this_project.chosen_spec()


def written_functions() -> dict[Path, str]:
    """The hand-written modules for these, less the functions for other types."""
    functions = this_project.backend_input().hand_written.functions.values()
    kept: dict[Path, set[str]] = {}
    for function in functions:
        kept.setdefault(Path(function.relative_module.path), set()).add(function.name)
    return {file: without_functions((HAND_WRITTEN / file).read_text("utf-8"), keep) for file, keep in kept.items()}


@contextmanager
def compiled(
    folder: Path,
    spec: ApiSpec | None = None,
    *,
    functions: Mapping[Path, str] | None = None,
    groups: tuple[str, ...] | None = None,
    backends: tuple[str, ...] | None = None,
) -> Iterator[Package]:
    """Compile to a new package in `folder`, importable while the context lasts. Raises Rejected.

    Specs and hand-written functions are those of the kinds that this project chooses, if not given.

    Hand-written functions import the package that they belong to as `generated`, which may be another one in this
    process: they are copied, with the new name.
    """
    name = f"kubernetes_{next(_numbers)}"
    copied = folder / f"{name}_hand_written"
    for file, text in (written_functions() if functions is None else functions).items():
        write(copied / file, _renamed(text, name).encode())
    for path, content in output(spec, hand_written=copied, groups=groups, backends=backends).items():
        write(folder / name / path, content)
    sys.path.insert(0, str(folder))
    invalidate_caches()
    try:
        yield Package(name)
    finally:
        sys.path.remove(str(folder))
        for module in [module for module in sys.modules if module.partition(".")[0] in (name, copied.name)]:
            del sys.modules[module]


def output(
    spec: ApiSpec | None = None,
    *,
    hand_written: Path | None = None,
    groups: tuple[str, ...] | None = None,
    backends: tuple[str, ...] | None = None,
) -> dict[str, bytes]:
    """The files that a run writes, by path. Raises Rejected."""
    report = Report()
    with patch("apigen.codegen.pipeline.load_api", return_value=spec or written_spec()):
        checked = check(Sources(SPECS, hand_written, ROOT, groups), report)
    if checked.backend_input is None or report.has_errors:
        raise Rejected(diagnostic for diagnostic in report.diagnostics if diagnostic.severity == "error")
    return {str(file.path): file.content for file in generate(checked.backend_input, backends=backends)}


def _renamed(text: str, name: str) -> str:
    return re.sub(r"^(from|import) generated\b", rf"\1 {name}", text, flags=re.MULTILINE)
