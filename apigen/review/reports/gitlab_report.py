"""The report for GitLab's code quality: a list of issues in JSON.

A finding about a removed element is at its nearest parent in the revision; its text contains the old place.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from apigen.diagnostics import Place
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
    """Return GitLab's code quality report: a list of issues in JSON, for open findings and problems of approvals."""
    summary = rooted(summary, style.folder)
    issues = [
        _issue(
            "; ".join(
                [
                    finding.result.text,
                    *effect_lines(finding),
                    *([] if finding.new else [f"base: {finding.old_place}"]),
                ]
            ),
            finding.rule,
            finding.fingerprint,
            _SEVERITIES[finding.severity],
            finding.new_place,
        )
        for finding in summary.findings
    ]
    issues += [
        _issue(each.message, each.code, f"{each.code}-{each.place.line}-{each.place.column}", "critical", each.place)
        for each in summary.problems
    ]
    return json.dumps(issues, indent=2) + "\n"


def _issue(description: str, name: str, fingerprint: str, severity: str, place: Place) -> Mapping[str, object]:
    return {
        "description": shown(description),
        "check_name": name,
        "fingerprint": fingerprint,
        "severity": severity,
        "categories": ["Compatibility"],
        "location": {"path": shown(place.file), "lines": {"begin": max(1, place.line)}},
    }
