"""The text of a file of approvals with skeletons for findings without an approval, or without unused approvals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from apigen.diagnostics import Place
from apigen.diagnostics.quoting import yaml_quoted
from apigen.review.approvals.approval import Approval, ApprovalsFile, as_written
from apigen.review.finding import Finding
from apigen.review.results import Direction

DAYS = 90
"""Days until a skeleton expires: fewer than the maximum of any stability."""

HEADER = """\
# Approved findings of `apigen diff`. Each entry has a reason and an expiry; expired, unused and incomplete entries fail
# the review.
approvals:
"""


def with_skeletons(file: ApprovalsFile, findings: Iterable[Finding], today: date) -> tuple[str, int]:
    """Return the text of the file with an entry for each finding without one, and the number of added entries."""
    known = set(re.findall(r"fingerprint: *[\"']?([0-9a-f]{16})", file.text))
    unapproved = {finding.fingerprint: finding for finding in findings if finding.fingerprint not in known}
    if not unapproved:
        return file.text, 0
    margin = "  "
    if file.entries:
        line = file.text.splitlines()[file.entries[-1].line - 1]
        margin = line[: len(line) - len(line.lstrip())]
    entries = "".join(skeleton(finding, today, margin) for finding in unapproved.values())
    return _start(file) + entries, len(unapproved)


def _start(file: ApprovalsFile) -> str:
    if not file.text.strip():
        return HEADER
    text = file.text if file.text.endswith("\n") else f"{file.text}\n"
    return (
        text if file.entries else re.sub(r"^approvals:[ \t]*\[[ \t]*\][ \t]*$", "approvals:", text, flags=re.MULTILINE)
    )


def skeleton(finding: Finding, today: date, margin: str = "  ") -> str:
    """Return an entry for a finding, without a reason."""
    directions = [direction.value for direction in Direction if direction in finding.effects]
    lines = [
        f"fingerprint: {yaml_quoted(finding.fingerprint)}",
        f"rule: {yaml_quoted(finding.rule)}",
        f"element: {yaml_quoted(as_written(str(finding.element)))}",
        f"old: {yaml_quoted(as_written(finding.old))}",
        f"new: {yaml_quoted(as_written(finding.new))}",
        'reason: ""',
        'owner: ""',
        'ticket: ""',
        *([f"directions: [{', '.join(directions)}]"] if directions else []),
        f"created: {today.isoformat()}",
        f"expires: {(today + timedelta(days=DAYS)).isoformat()}",
    ]
    return "".join(f"{margin}{'- ' if number == 0 else '  '}{line}\n" for number, line in enumerate(lines))


def pruned(file: ApprovalsFile, unused: Sequence[Approval]) -> str:
    """Return the text of the file without unused entries and the comments above them; other comments stay."""
    unused_places = {approval.place for approval in unused}
    lines = file.text.splitlines(keepends=True)
    starts = [_start_of(place, lines) for place in file.entries]
    if not unused_places or any(start is None for start in starts):
        return file.text
    first = [start for start in starts if start is not None]
    ends = [*first[1:], _end(first[-1], lines)] if first else []
    dropped = {
        number
        for place, start, end in zip(file.entries, first, ends, strict=True)
        if place in unused_places
        for number in range(start, end)
    }
    kept = "".join(line for number, line in enumerate(lines) if number not in dropped)
    return (
        kept
        if len(unused_places) < len(first)
        else re.sub(r"^approvals:[ \t]*$", "approvals: []", kept, flags=re.MULTILINE)
    )


def can_be_changed(file: ApprovalsFile) -> bool:
    """Return whether each entry begins on its own line, so that its lines can be removed."""
    lines = file.text.splitlines(keepends=True)
    return all(_start_of(place, lines) is not None for place in file.entries)


def _start_of(place: Place, lines: Sequence[str]) -> int | None:
    """Return the first line of an entry, from 0, comments above it included; None if the entry does not start a line."""
    number = place.line - 1
    if not 0 <= number < len(lines) or not re.fullmatch(r"\s*-\s+", lines[number][: place.column - 1]):
        return None
    while number and lines[number - 1].lstrip().startswith("#"):
        number -= 1
    return number


def _end(start: int, lines: Sequence[str]) -> int:
    """Return the line after the last entry; comments at the end and lines with less indentation do not belong to it."""
    dash = next((number for number in range(start, len(lines)) if lines[number].lstrip().startswith("-")), start)
    indentation = len(lines[dash]) - len(lines[dash].lstrip())
    for number in range(dash + 1, len(lines)):
        text = lines[number].strip()
        if text and len(lines[number]) - len(lines[number].lstrip()) <= indentation:
            return number
    return len(lines)
