"""The reports for other programs, which list the findings one by one: compilers' lines, SARIF, JUnit, GitHub and GitLab.

A finding about a removed element is at its nearest parent in the revision; its text contains the old place.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from apigen.codegen.rendering import template_environment
from apigen.diagnostics import Place, Related
from apigen.diagnostics.printers.github import annotation
from apigen.diagnostics.printers.github import render as render_diagnostics
from apigen.diagnostics.printers.sarif import SarifResult, SarifRule, log
from apigen.diagnostics.quoting import inert, xml_attribute, xml_text
from apigen.review.finding import Finding
from apigen.review.reports.lines import rooted, shown
from apigen.review.reports.report import Style
from apigen.review.reports.summary import Summary, effect_lines, result_line
from apigen.review.results import Direction, Severity


def render_lines(summary: Summary, _: Style) -> str:
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


_SARIF = {
    Severity.ERROR: "error",
    Severity.UNVERIFIED: "warning",
    Severity.WARNING: "warning",
    Severity.INFO: "note",
    Severity.SILENT: "none",
}
_GITHUB = {**_SARIF, Severity.INFO: "notice"}
_GITLAB = {
    Severity.ERROR: "critical",
    Severity.UNVERIFIED: "major",
    Severity.WARNING: "major",
    Severity.INFO: "info",
}


def render_sarif(summary: Summary, style: Style) -> str:
    """Return SARIF 2.1.0 for code scanners: one run with all findings; approved ones are suppressed results."""
    summary = rooted(summary, style.folder)
    results = [_sarif_result(finding, summary) for finding in summary.findings]
    results += [_sarif_result(each.finding, summary, shown(each.approval.reason)) for each in summary.approved]
    rules = [_sarif_rule(id_, summary) for id_ in sorted({each.rule for each in results})]
    return log("apigen diff", rules, results, result_line(summary))


def _sarif_rule(id_: str, summary: Summary) -> SarifRule:
    rule = summary.rules.get(id_)
    if rule is None:
        return SarifRule(id_)
    text = f"{rule.explanation}\n\nFix: {rule.fix}"
    return SarifRule(id_, rule.title, rule.explanation, text, _SARIF[rule.severities.stable], rule.page)


def _sarif_result(finding: Finding, summary: Summary, approved_because: str | None = None) -> SarifResult:
    fix = summary.fix(finding)
    consequences = [f"Consequence: {each.result.text}" for each in finding.consequences]
    lines = [finding.result.text, *effect_lines(finding), *([f"Help: {fix}"] if fix else []), *consequences]
    return SarifResult(
        finding.rule,
        _SARIF[finding.severity],
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


def render_junit(summary: Summary, _: Style) -> str:
    """Return JUnit XML: a test case for each finding, which fails if the review does.

    Without findings there is one passed case, because readers treat an empty suite as an error.
    """
    failures = sum(summary.fail_on.counts(finding.severity) for finding in summary.findings) + len(summary.problems)
    count = len(summary.findings) + len(summary.approved) + len(summary.problems)
    environment = template_environment(autoescape=False, keep_trailing_newline=True)
    environment.filters |= {"attribute": lambda text: xml_attribute(shown(text)), "details": _junit_details}
    template = environment.get_template("review/junit.xml.jinja")
    return template.render(summary=summary, result=result_line(summary), failures=failures, count=count)


def _junit_details(finding: Finding, summary: Summary) -> str:
    lines = [
        finding.result.text,
        f"base {finding.old_place}: {finding.old or 'absent'}",
        f"revision {finding.new_place}: {finding.new or 'absent'}",
        *effect_lines(finding),
        *([f"help: {summary.fix(finding)}"] if summary.fix(finding) else []),
        *(f"consequence: {each.result.text}" for each in finding.consequences),
    ]
    return xml_text("\n".join(map(shown, lines)))


def render_github(summary: Summary, style: Style) -> str:
    """Return annotations of GitHub Actions: one for each open finding and each problem of approvals; the result is a plain line."""
    summary = rooted(summary, style.folder)
    parts = []
    for finding in summary.findings:
        title, lines = f"{finding.rule} ({finding.stability.value})", map(shown, _github_lines(finding, summary))
        parts.append(annotation(_GITHUB[finding.severity], finding.new_place, title, lines))
    return "".join(parts) + render_diagnostics(summary.problems) + result_line(summary) + "\n"


def _github_lines(finding: Finding, summary: Summary) -> Iterator[str]:
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


def render_gitlab(summary: Summary, style: Style) -> str:
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
            _GITLAB[finding.severity],
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
