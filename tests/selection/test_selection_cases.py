"""Each folder of `cases/` holds `specs/`, what is chosen of them, and what that leads to, `expected.txt`.

`APIGEN_UPDATE=1` writes what comes out now.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from apigen.codegen.pipeline import generate
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


@pytest.mark.parametrize("name", NAMES)
def test_output_refers_to_selected_types_only(name: str) -> None:
    report = Report()
    checked = checked_case(CASES / name, report)
    if checked.backend_input is None:
        assert report.has_errors
    else:
        assert [file.path for file in generate(checked.backend_input, backends=("types", "copying", "conversions"))]


def test_unselected_kinds_are_fully_checked_if_requested() -> None:
    report = Report()
    checked_case(CASES / "loss-in-what-is-left-out", report, everything=True)
    assert [d.code for d in report.diagnostics if d.severity == "error"] == ["AG0701"]
