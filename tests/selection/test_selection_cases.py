"""Each folder of `cases/` holds `specs/`, what is chosen of them, and what that leads to, `expected.txt`.

`APIGEN_UPDATE=1` writes what comes out now.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from apigen.diagnostics import Report
from tests.selection.selecting import checked_case, outcome

CASES = Path(__file__).parent / "cases"
NAMES = sorted(folder.name for folder in CASES.iterdir() if folder.is_dir())


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str) -> None:
    text, expected = outcome(CASES / name), CASES / name / "expected.txt"
    if os.environ.get("APIGEN_UPDATE"):
        expected.write_text(text, encoding="utf-8")
    assert text == expected.read_text(encoding="utf-8")


def test_unselected_kinds_are_fully_checked_if_requested() -> None:
    report = Report()
    checked_case(CASES / "loss-in-what-is-left-out", report, everything=True)
    assert [d.code for d in report.diagnostics if d.severity == "error"] == ["AG0701"]
