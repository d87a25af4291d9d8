"""The report as workflow commands of GitHub Actions, which shows them at the lines of a pull request.

The escapes are those of "Workflow commands for GitHub Actions". A finding about what is gone stands at the nearest parent
that is left, and names the old place in its text.
"""

from __future__ import annotations

from apigen.compat.finding import Finding
from apigen.compat.reports.lines import shown
from apigen.compat.reports.report import Style
from apigen.compat.reports.rooting import rooted
from apigen.compat.reports.summary import DIRECTIONS, Summary, verdict_line
from apigen.compat.verdict.severity import Severity
from apigen.diagnostics import Place
from apigen.diagnostics.printers.github import command_property, command_text
from apigen.diagnostics.printers.github import render as render_diagnostics

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(summary: Summary, style: Style) -> str:
    """A command for each open finding, for each fault of the approvals, and the verdict as a plain line."""
    summary = rooted(summary, style.folder)
    commands = [_command(finding, summary) for finding in summary.findings]
    return (
        "".join(f"{line}\n" for line in commands) + render_diagnostics(summary.problems) + verdict_line(summary) + "\n"
    )


def _command(finding: Finding, summary: Summary) -> str:
    properties = {**_position(finding.new_place), "title": f"{finding.rule} ({finding.stability.value})"}
    written = ",".join(f"{name}={command_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {written}::{command_text(_text(finding, summary))}"


def _position(place: Place) -> dict[str, str]:
    file = {"file": shown(place.file)}
    return {**file, "line": str(place.line), "col": str(place.column)} if place.line else file


def _text(finding: Finding, summary: Summary) -> str:
    lines = [finding.verdict.message]
    lines += [f"{name}: {finding.hits[each].text}" for each, name in DIRECTIONS.items() if each in finding.hits]
    lines.append(f"old, {finding.old_place}: {finding.old or 'nothing'}")
    lines.append(f"new, {finding.new_place}: {finding.new or 'nothing'}")
    fix = summary.fix(finding)
    lines += [f"help: {fix}"] if fix else []
    lines += [f"with it: {each.verdict.message}" for each in finding.consequences[:10]]
    return "\n".join(map(shown, lines))
