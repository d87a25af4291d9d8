"""Places relative to the root of a repository, if apigen ran in one of its folders."""

from __future__ import annotations

from pathlib import PurePosixPath

from apigen.dataclass import replace
from apigen.diagnostics import Place
from apigen.review.finding import Finding
from apigen.review.reports.summary import Summary


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
