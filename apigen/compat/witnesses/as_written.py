"""Compiles specs as they are written: with their lenses, computed defaults and strategies, which a surface has in words only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from apigen.choice import Choice
from apigen.compat.witnesses.lowering.problem import NotLoweredError
from apigen.compilation import Compilation
from apigen.diagnostics import Report, Severity
from apigen.pipeline import compile_unruled
from apigen.spec.model import ApiSpec, GroupSpec


class AsWritten:
    """The specs of one side, read when they are asked for, and once; `read` gives None for an input of another form."""

    def __init__(self, read: Callable[[], ApiSpec | None] = lambda: None) -> None:
        self._specs = cache(read)
        self._refused: dict[str, str] = {}

    def compiled(self, group: str, kinds: Iterable[str], otherwise: str) -> Compilation:
        """Some kinds of a group, which goes by its name on the wire. Raises NotLoweredError where that cannot be.

        It says `otherwise`, where there are no such specs, or what is wrong with them: they are compiled without the functions
        that somebody wrote by hand, as a review runs no code that comes with a change.
        """
        specs = self._specs()
        written = None if specs is None else next((each for each in specs.groups if each.group == group), None)
        there = frozenset() if written is None else _there(written, set(kinds))
        if specs is None or not there:
            raise NotLoweredError(otherwise)
        if group in self._refused:
            raise NotLoweredError(self._refused[group])
        report = Report()
        compilation = compile_unruled(specs, report, Choice(frozenset(), there))
        if compilation is None:
            self._refused[group] = (
                f"specs are compiled without hand-written functions here, which fails: {first_error(report)}"
            )
            raise NotLoweredError(self._refused[group])
        return compilation


def first_error(report: Report) -> str:
    """What is wrong, in a line."""
    errors = (each.message for each in report.diagnostics if each.severity is Severity.ERROR)
    return next(errors, "nobody knows why")


def _there(group: GroupSpec, kinds: set[str]) -> frozenset[tuple[str, str]]:
    """Those of the kinds that a group has: folder and name."""
    return frozenset((group.folder, kind.name) for kind in group.kinds if kind.name in kinds)
