"""Diagnostics and their parts."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from apigen.dataclass import dataclass


class Severity(StrEnum):
    """The severity of a diagnostic: an error stops the run before anything is written, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A position in a source file.

    `file` is the path in messages (relative to the working directory, with `/`); `line` and `column` count
    from 1, columns in characters; 0 for both means the file as a whole.
    """

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that explains a diagnostic, e.g. the first use of a number that is used twice."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A diagnostic: a stable code, a place, one sentence about the problem, and if possible the fix."""

    code: str
    severity: Severity
    place: Place
    message: str
    hint: str | None = None
    related: tuple[Related, ...] = ()
    source_line: str | None = None

    @property
    def places(self) -> tuple[Place, ...]:
        """All places that it names, its own first."""
        return self.place, *(each.place for each in self.related)


def shown_path(path: Path, root: Path | None = None) -> str:
    """Return a path for display: relative to a folder, by default the working directory, if it is inside of it; else
    unchanged.
    """
    folder = Path.cwd() if root is None else root
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.as_posix()
