"""The report for GitLab's code quality: a list of issues in JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping

from apigen.diagnostics import Diagnostic
from apigen.review.finding import Finding
from apigen.review.reports.lines import rooted, shown
from apigen.review.reports.report import Style
from apigen.review.reports.summary import Summary, effect_lines
from apigen.review.results import Severity

_SEVERITIES = {
    Severity.ERROR: "critical",
    Severity.UNVERIFIED: "major",
    Severity.WARNING: "major",
    Severity.INFO: "info",
}


def render(summary: Summary, style: Style) -> str:
    """Return an issue for each open finding and each problem of approvals."""
    summary = rooted(summary, style.folder)
    issues = [_issue(finding) for finding in summary.findings]
    issues += [_problem(problem) for problem in summary.problems]
    return json.dumps(issues, indent=2) + "\n"


def _issue(finding: Finding) -> Mapping[str, object]:
    was = [] if finding.new else [f"base: {finding.old_place}"]
    return {
        "description": shown("; ".join([finding.result.text, *effect_lines(finding), *was])),
        "check_name": finding.rule,
        "fingerprint": finding.fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "categories": ["Compatibility"],
        "location": {"path": shown(finding.new_place.file), "lines": {"begin": max(1, finding.new_place.line)}},
    }


def _problem(problem: Diagnostic) -> Mapping[str, object]:
    return {
        "description": shown(problem.message),
        "check_name": problem.code,
        "fingerprint": f"{problem.code}-{problem.place.line}-{problem.place.column}",
        "severity": "critical",
        "categories": ["Compatibility"],
        "location": {"path": shown(problem.place.file), "lines": {"begin": max(1, problem.place.line)}},
    }
