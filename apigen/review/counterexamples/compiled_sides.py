"""The packages that a trial runs: one side of a review, compiled.

A side is compiled from its surface, or from its specs, with the lenses, computed defaults and strategies that a surface
only describes in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from apigen.codegen.compilation import Compilation
from apigen.codegen.pipeline import compile_unruled, generate
from apigen.diagnostics import Report, Severity
from apigen.language.load import load_api
from apigen.language.model import ApiSpec
from apigen.language.selection import Choice
from apigen.review.counterexamples.spec_conversion import GroupSide, NotConvertibleError, write_group

BACKENDS = ("json", "protobuf", "defaults", "conversions", "strategies", "validation", "copying")
"""The backends whose code a trial runs."""


class SideCompiler:
    """Compiles groups of one side. `read` returns its specs, None for an input of another form; they are read once, on
    first use.
    """

    def __init__(self, read: Callable[[], ApiSpec | None] = lambda: None) -> None:
        self._specs = cache(read)
        self._rejected: dict[str, str] = {}

    def build(self, side: GroupSide, kinds: Iterable[str], versions: Iterable[str], folder: Path, name: str) -> None:
        """Write the package `name` below a folder. Raises NotConvertibleError, with the reason, if that is not possible.

        It is generated from the surface, or, if that has too little information, from the specs themselves.
        """
        try:
            try:
                compilation = _converted(side, set(kinds), versions, folder / f"{name}_specs")
            except NotConvertibleError as error:
                compilation = self.compiled_specs(side.group.name, kinds, str(error))
            for file in generate(compilation, backends=BACKENDS):
                path = folder / name / file.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.content)
        except RecursionError:
            raise NotConvertibleError("its types are nested too deeply to be compiled") from None

    def compiled_specs(self, group: str, kinds: Iterable[str], otherwise: str) -> Compilation:
        """Return some kinds of a group, compiled from the specs; `group` is its name on the wire. Raises
        NotConvertibleError if that is impossible.

        Its text is `otherwise` without such specs, or else the first error in them: they are compiled without
        hand-written functions, because a review must not run code that comes with a change.
        """
        specs = self._specs()
        written = None if specs is None else next((each for each in specs.groups if each.group == group), None)
        existing = (
            frozenset()
            if written is None
            else frozenset((written.folder, each.name) for each in written.kinds if each.name in set(kinds))
        )
        if specs is None or not existing:
            raise NotConvertibleError(otherwise)
        if group in self._rejected:
            raise NotConvertibleError(self._rejected[group])
        report = Report()
        compilation = compile_unruled(specs, report, Choice(frozenset(), existing))
        if compilation is None:
            self._rejected[group] = (
                f"the specs cannot be compiled without hand-written functions: {_first_error(report)}"
            )
            raise NotConvertibleError(self._rejected[group])
        return compilation


def _converted(side: GroupSide, kinds: set[str], versions: Iterable[str], folder: Path) -> Compilation:
    folder.mkdir(parents=True)
    write_group(side, kinds, versions, folder)
    report = Report()
    specs = load_api(folder, report)
    compilation = None if report.has_errors else compile_unruled(specs, report)
    if compilation is None:
        raise NotConvertibleError(f"it cannot be compiled: {_first_error(report)}")
    return compilation


def _first_error(report: Report) -> str:
    errors = (each.message for each in report.diagnostics if each.severity is Severity.ERROR)
    return next(errors, "unknown reason")
