"""The report in the format of compilers: one line per finding; the last line is the result."""

from __future__ import annotations

from apigen.diagnostics.quoting import inert
from apigen.review.finding import Finding
from apigen.review.reports.lines import shown
from apigen.review.reports.report import Style
from apigen.review.reports.summary import Summary, result_line
from apigen.review.results import Direction


def render(summary: Summary, _: Style) -> str:
    """Return a line per open finding, in the format of compilers: its place in the revision, severity, text, and directions.
    The last line is the result.
    """
    lines = [_line(finding) for finding in summary.findings]
    problems = [f"{shown(str(p.place))}: {p.severity} {p.code}: {shown(p.message)}" for p in summary.problems]
    return "".join(f"{inert(line)}\n" for line in (*lines, *problems, result_line(summary)))


def _line(finding: Finding) -> str:
    effects = ",".join(direction.value for direction in Direction if direction in finding.effects)
    more = f" (+{len(finding.consequences)})" if finding.consequences else ""
    was = "" if finding.new else f" (base: {shown(str(finding.old_place))})"
    return (
        f"{shown(str(finding.new_place))}: {finding.severity.word} {finding.rule}: {shown(finding.result.text)}"
        f"{was} [{effects or '-'}] {finding.fingerprint}{more}"
    )
