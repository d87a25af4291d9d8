"""Places for readers that know files from the root of a repository, where apigen ran in a folder of it."""

from __future__ import annotations

from pathlib import PurePosixPath

from apigen.dataclass import replace
from apigen.diagnostics import Place
from apigen.review.finding import Finding
from apigen.review.reports.summary import Summary


def rooted(summary: Summary, folder: str) -> Summary:
    """The same with the folder before the files that findings and faults stand in; an empty folder is the root."""
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
    """Absolute paths stay as they are, and so do those within a git revision (`main:v1.yaml`)."""
    if place.file.startswith("/") or ":" in place.file:
        return place
    return replace(place, file=str(PurePosixPath(folder, place.file)))
