"""The report as JUnit XML: a test case for each finding, which fails if the review does."""

from __future__ import annotations

from apigen.codegen.rendering import template_environment
from apigen.diagnostics.quoting import xml_attribute, xml_text
from apigen.review.finding import Finding
from apigen.review.reports.lines import shown
from apigen.review.reports.report import Style
from apigen.review.reports.summary import Summary, effect_lines, result_line


def render(summary: Summary, _: Style) -> str:
    """Return JUnit XML: a test case for each finding, which fails if the review does.

    Without findings there is one passed case, because readers treat an empty suite as an error.
    """
    failures = sum(summary.fail_on.counts(finding.severity) for finding in summary.findings) + len(summary.problems)
    count = len(summary.findings) + len(summary.approved) + len(summary.problems)
    environment = template_environment(autoescape=False, keep_trailing_newline=True)
    environment.filters |= {"attribute": lambda text: xml_attribute(shown(text)), "details": _details}
    template = environment.get_template("review/junit.xml.jinja")
    return template.render(summary=summary, result=result_line(summary), failures=failures, count=count)


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
