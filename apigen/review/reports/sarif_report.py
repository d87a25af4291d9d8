"""The report for code scanners (SARIF 2.1.0).

A finding about a removed element is at its nearest parent in the revision; its text contains the old place.
"""

from __future__ import annotations

from apigen.diagnostics import Related
from apigen.diagnostics.printers.sarif import SarifResult, SarifRule, log
from apigen.review.finding import Finding
from apigen.review.reports.lines import rooted, shown
from apigen.review.reports.report import Style
from apigen.review.reports.summary import Summary, effect_lines, result_line
from apigen.review.results import Severity

_LEVELS = {
    Severity.ERROR: "error",
    Severity.UNVERIFIED: "warning",
    Severity.WARNING: "warning",
    Severity.INFO: "note",
    Severity.SILENT: "none",
}


def render(summary: Summary, style: Style) -> str:
    """Return SARIF 2.1.0 for code scanners: one run with all findings; approved ones are suppressed results."""
    summary = rooted(summary, style.folder)
    results = [_result(finding, summary) for finding in summary.findings]
    results += [_result(each.finding, summary, shown(each.approval.reason)) for each in summary.approved]
    rules = [_rule(id_, summary) for id_ in sorted({each.rule for each in results})]
    return log("apigen diff", rules, results, result_line(summary))


def _rule(id_: str, summary: Summary) -> SarifRule:
    rule = summary.rules.get(id_)
    if rule is None:
        return SarifRule(id_)
    text = f"{rule.explanation}\n\nFix: {rule.fix}"
    return SarifRule(id_, rule.title, rule.explanation, text, _LEVELS[rule.severities.stable], rule.page)


def _result(finding: Finding, summary: Summary, approved_because: str | None = None) -> SarifResult:
    fix = summary.fix(finding)
    consequences = [f"Consequence: {each.result.text}" for each in finding.consequences]
    lines = [finding.result.text, *effect_lines(finding), *([f"Help: {fix}"] if fix else []), *consequences]
    return SarifResult(
        finding.rule,
        _LEVELS[finding.severity],
        "\n".join(shown(part) for line in lines for part in line.splitlines()),
        finding.new_place,
        (Related(finding.old_place, "in the base"),),
        finding.fingerprint,
        {
            "element": shown(str(finding.element)),
            "stability": finding.stability.value,
            "old": shown(finding.old),
            "new": shown(finding.new),
            "effects": {direction.value: effect.impact.value for direction, effect in finding.effects.items()},
        },
        approved_because,
    )
