"""The report as JUnit XML: a test case for each finding, which fails if the review does."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic
from apigen.diagnostics.quoting import xml_attribute, xml_text
from apigen.review.finding import Finding
from apigen.review.reports.lines import shown
from apigen.review.reports.report import Style
from apigen.review.reports.summary import Summary, effect_lines, result_line


def render(summary: Summary, _: Style) -> str:
    """Return one suite. Without findings it has one passed case, because readers treat an empty suite as an error."""
    cases = [
        *(line for finding in summary.findings for line in _case(finding, summary)),
        *(_skipped(each.finding, f"approved: {each.approval.reason}") for each in summary.approved),
        *(line for problem in summary.problems for line in _problem(problem)),
    ]
    failures = sum(summary.fail_on.counts(finding.severity) for finding in summary.findings) + len(summary.problems)
    count = len(summary.findings) + len(summary.approved) + len(summary.problems)
    if not count:
        cases, count = ['    <testcase classname="apigen diff" name="no findings"/>'], 1
    numbers = f'tests="{count}" failures="{failures}" errors="0" skipped="{len(summary.approved)}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="apigen diff" {numbers}>',
        f'  <testsuite name="apigen diff" {numbers}>',
        f'    <properties><property name="result" value={_attribute(result_line(summary))}/></properties>',
        *cases,
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _case(finding: Finding, summary: Summary) -> Iterator[str]:
    tag = "failure" if summary.fail_on.counts(finding.severity) else "system-out"
    attributes = f" type={_attribute(finding.rule)} message={_attribute(finding.result.text)}"
    yield f"    <testcase {_names(finding)}>"
    yield f"      <{tag}{attributes if tag == 'failure' else ''}>{_details(finding, summary)}</{tag}>"
    yield "    </testcase>"


def _names(finding: Finding) -> str:
    name = f"{finding.element} ({finding.severity.word}, {finding.fingerprint})"
    return f"classname={_attribute(finding.rule)} name={_attribute(name)}"


def _details(finding: Finding, summary: Summary) -> str:
    lines = [
        finding.result.text,
        f"base {finding.old_place}: {finding.old or 'absent'}",
        f"revision {finding.new_place}: {finding.new or 'absent'}",
        *effect_lines(finding),
        *([f"help: {summary.fix(finding)}"] if summary.fix(finding) else []),
        *(f"consequence: {each.result.text}" for each in finding.consequences),
    ]
    return xml_text("\n".join(map(shown, lines)))


def _skipped(finding: Finding, reason: str) -> str:
    return f"    <testcase {_names(finding)}><skipped message={_attribute(reason)}/></testcase>"


def _problem(problem: Diagnostic) -> Iterator[str]:
    name = f"{problem.place}: {problem.code}"
    yield f'    <testcase classname="approvals" name={_attribute(name)}>'
    yield f"      <failure type={_attribute(problem.code)} message={_attribute(problem.message)}/>"
    yield "    </testcase>"


def _attribute(text: str) -> str:
    return f'"{xml_attribute(shown(text))}"'
