"""Diagnostics for a terminal: the place, one sentence, the line with a caret, related places, the fix.

specs/things/v6.yaml:7:9: error AG0201: unknown key `optinal`
  |
7 |         optinal: true
  |         ^
  = help: did you mean `optional`?
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from apigen.diagnostics.model import Diagnostic, Severity
from apigen.diagnostics.paint import PLAIN, Paint
from apigen.diagnostics.quoting import counted, inert, visible

WIDEST_LINE = 160
BEFORE_CARET = 100

_TAB = "    "


def render(diagnostics: Sequence[Diagnostic], paint: Paint = PLAIN) -> str:
    """Print the diagnostics, separated by empty lines. Text of specs cannot move the cursor or contain commands for CI
    systems.
    """
    return "\n".join("".join(f"{inert(line)}\n" for line in _lines(diagnostic, paint)) for diagnostic in diagnostics)


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """Return `2 errors, 1 warning`, or an empty text without diagnostics."""
    counts = ((severity, sum(d.severity is severity for d in diagnostics)) for severity in Severity)
    return ", ".join(counted(count, severity) for severity, count in counts if count)


def _lines(diagnostic: Diagnostic, paint: Paint) -> Iterator[str]:
    place, message = visible(str(diagnostic.place)), visible(diagnostic.message)
    yield f"{paint('bold', place)}: {paint(diagnostic.severity, f'{diagnostic.severity} {diagnostic.code}')}: {message}"
    margin = " " * len(str(diagnostic.place.line)) if diagnostic.source_line is not None else ""
    if diagnostic.source_line is not None:
        excerpt, caret = _excerpt(diagnostic.source_line, diagnostic.place.column)
        yield f"{margin} |"
        yield f"{diagnostic.place.line} | {excerpt}".rstrip()
        yield f"{margin} | {' ' * caret}{paint(diagnostic.severity, '^')}"
    for related in diagnostic.related:
        yield f"{margin} = {visible(str(related.place))}: {visible(related.message)}"
    if diagnostic.hint is not None:
        first, *rest = diagnostic.hint.split("\n")
        yield f"{margin} = {paint('good', 'help')}: {visible(first)}"
        yield from (f"{margin}         {visible(line)}".rstrip() for line in rest)


def _excerpt(line: str, column: int) -> tuple[str, int]:
    """Return the printed part of the line around the column, and the number of cells in front of the column."""
    start = max(0, column - 1 - BEFORE_CARET) if len(line) > WIDEST_LINE else 0
    end = min(len(line), start + WIDEST_LINE)
    before = ("…" if start else "") + _visible_text(line[start : column - 1])
    after = _visible_text(line[column - 1 : end]) + ("…" if end < len(line) else "")
    return before + after, sum(_cells(character) for character in before)


def _visible_text(text: str) -> str:
    return visible(text.replace("\t", _TAB))


def _cells(character: str) -> int:
    """Return the number of terminal cells of a character."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
