"""The first screen of every step of gateway-api: short, narrow, and with all errors in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.review.grouping import members
from apigen.review.reports.first_screen import first_screen, path_of
from apigen.review.reports.markdown_report import LARGEST
from apigen.review.reports.report import Style, format_named
from apigen.review.reports.summary import Summary
from apigen.review.results import Severity
from apigen.review.running import Request, run_review
from tests.review.releases.gateway_api import ARCHIVE, steps, unpacked
from tests.share import share

pytestmark = pytest.mark.skipif(not ARCHIVE.exists(), reason=f"the releases of gateway-api are not at {ARCHIVE}")

LINES, COLUMNS = 60, 100
STEPS = list(steps())
_known: dict[tuple[str, str], Summary] = {}


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked(tmp_path_factory.mktemp("releases"))


def summary_of(step: tuple[str, str], releases: Path) -> Summary:
    """The review of a step, made once; objects are not looked for, as the first screen has none."""
    if step not in _known:
        report = Report()
        request = Request(*step, Setting(releases), approvals=None, moment=None, with_counterexamples=False)
        reviewed = run_review(request, report)
        assert reviewed is not None, report.diagnostics
        _known[step] = reviewed.summary
    return _known[step]


@pytest.mark.parametrize("step", share(STEPS, 2), ids="->".join, scope="module")  # tests of a step follow each other
def test_text_report(step: tuple[str, str], releases: Path) -> None:
    summary = summary_of(step, releases)
    text = format_named("text").render(summary, Style())
    lines = text.splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= COLUMNS
    assert lines[0] == lines[-1] == first_screen(summary).result
    errors = [each for root in summary.findings for each in members(root) if each.severity is Severity.ERROR]
    rows = _rows(lines)
    assert rows
    for finding in errors:
        assert path_of(finding) in rows[finding.rule], finding.element


@pytest.mark.parametrize("name", ["markdown", "html"])
@pytest.mark.parametrize("step", STEPS[2::5], ids="->".join, scope="module")
def test_other_formats_have_the_same_rows(name: str, step: tuple[str, str], releases: Path) -> None:
    summary = summary_of(step, releases)
    text = format_named(name).render(summary, Style())
    screen = first_screen(summary)
    first = text[: text.index('<section id="findings"' if name == "html" else "<details>")]
    at = [first.index(f"<code>{row.rule}</code>" if name == "html" else f"`{row.rule}`") for row in screen.rows]
    assert at == sorted(at) and at
    for row in screen.rows:
        assert row.severity is not Severity.ERROR or all(path in first for path in row.paths)
    assert name == "html" or len(text.encode()) <= LARGEST


def test_removals_are_listed_before_rules(releases: Path) -> None:
    text = format_named("text").render(summary_of(STEPS[18], releases), Style())
    assert text.index("removed:          v1alpha1 of XListenerSet") < text.index("pattern-added")
    assert text.count("added:") == 1
    assert "v1 of ListenerSet, ReferenceGrant, TLSRoute" in text


def _rows(lines: list[str]) -> dict[str, str]:
    """The text of the row of each rule, by its name."""
    found: dict[str, str] = {}
    rule = ""
    for line in lines:
        if line.startswith(("error ", "unverified ", "warning ", "info ")):
            rule = line.split()[1]
            found[rule] = line
        elif line.startswith("    ") and rule:
            found[rule] += f" {line.strip()}"
        else:
            rule = ""
    return found
