"""The report as annotations of GitHub Actions.

A finding about a removed element is at its nearest parent in the revision; its text contains the old place.
"""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics.printers.github import annotation
from apigen.diagnostics.printers.github import render as render_diagnostics
from apigen.review.finding import Finding
from apigen.review.reports.lines import rooted, shown
from apigen.review.reports.report import Style
from apigen.review.reports.summary import Summary, effect_lines, result_line
from apigen.review.results import Severity

_LEVELS = {
    Severity.ERROR: "error",
    Severity.UNVERIFIED: "warning",
    Severity.WARNING: "warning",
    Severity.INFO: "notice",
}


def render(summary: Summary, style: Style) -> str:
    """Return annotations of GitHub Actions: one for each open finding and each problem of approvals; the result is a plain line."""
    summary = rooted(summary, style.folder)
    parts = []
    for finding in summary.findings:
        title, lines = f"{finding.rule} ({finding.stability.value})", map(shown, _lines(finding, summary))
        parts.append(annotation(_LEVELS[finding.severity], finding.new_place, title, lines))
    return "".join(parts) + render_diagnostics(summary.problems) + result_line(summary) + "\n"


def _lines(finding: Finding, summary: Summary) -> Iterator[str]:
    yield finding.result.text
    yield from effect_lines(finding)
    yield f"base, {finding.old_place}: {finding.old or 'absent'}"
    yield f"revision, {finding.new_place}: {finding.new or 'absent'}"
    fix = summary.fix(finding)
    if fix:
        yield f"help: {fix}"
    if finding.rule in summary.rules:
        yield f"rule: {summary.rules[finding.rule].page}"
    yield from (f"consequence: {each.result.text}" for each in finding.consequences[:10])
