"""Collects the diagnostics of one run, so that all of them are reported and not the first."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from apigen.diagnostics.fixes import FIXES
from apigen.diagnostics.model import Diagnostic, Place, Related, Severity

MOST_DIAGNOSTICS = 10_000
"""Maximum number of diagnostics of a run; only files that are not specs cause more."""

SourceLine = Callable[[Place], str | None]


class Report:
    """The diagnostics of a run.

    `source_line` returns the text of the line of a location, for the caret; it is called when a diagnostic is added.
    """

    def __init__(self, source_line: SourceLine | None = None) -> None:
        self._source_lines: list[SourceLine] = [] if source_line is None else [source_line]
        self._found: dict[Diagnostic, None] = {}
        self._is_full = False
        self.reported = 0
        """The number of reports; duplicates count."""

    def error(
        self, code: str, place: Place, message: str, *, hint: str | None = None, related: Iterable[Related] = ()
    ) -> None:
        """Add an error; the same one twice counts once."""
        self._add(Severity.ERROR, code, place, message, hint, tuple(related))

    def warning(
        self, code: str, place: Place, message: str, *, hint: str | None = None, related: Iterable[Related] = ()
    ) -> None:
        """Add a warning; the same one twice counts once."""
        self._add(Severity.WARNING, code, place, message, hint, tuple(related))

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic that was made elsewhere."""
        self.reported += 1
        if len(self._found) < MOST_DIAGNOSTICS:
            self._found.setdefault(diagnostic)
        elif not self._is_full:
            self._is_full = True
            message = f"more than {MOST_DIAGNOSTICS:,} errors and warnings; the others are not printed"
            self._found[Diagnostic("AG0127", Severity.ERROR, diagnostic.place, message, FIXES["AG0127"])] = None

    def use_source(self, source_line: SourceLine) -> None:
        """Set a function that returns the text of lines, once files are known; the last one that knows a location is
        used.
        """
        self._source_lines.append(source_line)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All of them, in order of file, line and column, then code."""
        return tuple(sorted(self._found, key=lambda d: (d.place, d.severity, d.code, d.message)))

    @property
    def has_errors(self) -> bool:
        """Return whether any of them is an error."""
        return any(d.severity is Severity.ERROR for d in self._found)

    @property
    def error_count(self) -> int:
        """The number of errors; a stage compares it to determine whether it reported errors itself."""
        return sum(d.severity is Severity.ERROR for d in self._found)

    def _add(
        self,
        severity: Severity,
        code: str,
        place: Place,
        message: str,
        hint: str | None,
        related: tuple[Related, ...],
    ) -> None:
        if self._is_full:
            self.reported += 1
        else:
            fix = FIXES.get(code) if hint is None else hint
            self.add(Diagnostic(code, severity, place, message, fix, related, self._line_of(place)))

    def _line_of(self, place: Place) -> str | None:
        if not place.line:
            return None
        lines = (source_line(place) for source_line in reversed(self._source_lines))
        return next((line for line in lines if line is not None), None)
