"""Lines of text for people: wrapped, indented, and without terminal control characters; places relative to the repository."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import PurePosixPath

from apigen.dataclass import replace
from apigen.diagnostics import Place
from apigen.diagnostics.quoting import visible
from apigen.language.json_values import JsonValue
from apigen.review.finding import Finding
from apigen.review.reports.summary import Summary

_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")

PAGE = 100
"""The default width of text."""

LONGEST = 2000
"""The maximum number of printed characters of an input."""


def shown(text: str) -> str:
    """Return a text of an input as one printable line."""
    line = visible(" ".join(text.splitlines()) if "\n" in text else text)
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}… ({len(line) - LONGEST:,} more characters)"


def wrapped(text: str, first: str, rest: str, width: int) -> list[str]:
    """Wrap a text; the first line begins with `first` and the others with `rest`."""
    lines = _lines(text, max(20, width - len(rest)))
    return [f"{first if number == 0 else rest}{line}".rstrip() for number, line in enumerate(lines)]


def cropped(text: str, room: int) -> str:
    """Return a text as one line of limited width, with an ellipsis if it is cut."""
    line = shown(text)
    return line if len(line) <= room else f"{line[: max(1, room - 1)].rstrip()}…"


def in_columns(left: str, right: str, room: int) -> Iterator[tuple[str, str]]:
    """Yield two texts in columns of a width, line by line; the left one is padded with spaces."""
    for one, other in zip_longest(_lines(left, room), _lines(right, room), fillvalue=""):
        yield one.ljust(room), other


def _lines(text: str, room: int) -> list[str]:
    """Wrap a text as `textwrap` does, in a tenth of its time, into at least one line.

    A word that is longer than a line is not moved to the next line.
    """
    remaining, found = shown(text), []
    while len(remaining) > room:
        space, end = remaining.rfind(" ", 0, room + 1), remaining.find(" ", room)
        is_long = (len(remaining) if end < 0 else end) - space - 1 > room
        cut = room if is_long else space
        found.append(remaining[:cut].rstrip())
        remaining = remaining[cut:] if is_long else remaining[cut:].lstrip()
    return [line for line in (*found, remaining.rstrip()) if line] or [""]


def json_text(value: JsonValue) -> str:
    """Return a value as JSON in one line, shortened if it is long."""
    import json

    text = json.dumps(value, ensure_ascii=False)
    return visible(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


def prose(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a sentence; the parts in backticks are code (True), without the backticks."""
    for number, part in enumerate(_CODE.split(shown(text))):
        if part:
            yield part, number % 2 == 1


def rooted(summary: Summary, folder: str) -> Summary:
    """Return the same summary with the folder in front of the files of findings and problems; empty is the root."""
    if not folder:
        return summary
    return replace(
        summary,
        findings=tuple(_finding(each, folder) for each in summary.findings),
        approved=tuple(replace(each, finding=_finding(each.finding, folder)) for each in summary.approved),
        problems=tuple(replace(each, place=_place(each.place, folder)) for each in summary.problems),
    )


def _finding(finding: Finding, folder: str) -> Finding:
    return replace(finding, old_place=_place(finding.old_place, folder), new_place=_place(finding.new_place, folder))


def _place(place: Place, folder: str) -> Place:
    """Keep absolute paths, and paths within a git revision (`main:v1.yaml`)."""
    if place.file.startswith("/") or ":" in place.file:
        return place
    return replace(place, file=str(PurePosixPath(folder, place.file)))
