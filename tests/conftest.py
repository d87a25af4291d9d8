"""What all tests share: the records of Kubernetes are summed up at the end of a run."""

from __future__ import annotations

import pytest

VECTORS = "vectors"
"""The property by which a test says: what, kind, records, how many are right, how many doing nothing reaches or None."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [r for found in ("passed", "failed") for r in terminalreporter.getreports(found)]
    rows = sorted(value for report in reports for name, value in report.user_properties if name == VECTORS)
    if not rows:
        return
    terminalreporter.section("records of Kubernetes' own code")
    line = "{:<12} {:<29} {:>8} {:>15} {:>14}".format
    terminalreporter.write_line(line("", "", "records", "as in Kubernetes", "doing nothing"))
    for what in dict.fromkeys(row[0] for row in rows):
        of_this = [row for row in rows if row[0] == what]
        sums = [sum(row[column] or 0 for row in of_this) for column in (2, 3, 4)]
        for row in (*of_this, [what, "all", *sums]):
            terminalreporter.write_line(line(*row[:4], row[4] or "-"))
