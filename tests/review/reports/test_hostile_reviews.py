"""Whole reviews of hostile specs: each report is made, with bounded effort, and nothing of a spec comes through raw."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.review.approvals.approval import Moment
from apigen.review.reports.report import FORMATS, Style
from apigen.review.running import Request, run_review
from tests.effort import within
from tests.hostile.hostile_specs import LITERALS, write_specs
from tests.review.reports.hand_made import TODAY
from tests.review.reports.test_hostile_texts import CONTROL, HOSTILE


@pytest.mark.parametrize("text", [each for each in HOSTILE if len(each) < 1000], ids=range(len(HOSTILE) - 2))
def test_hostile_text_in_all_strings_of_a_spec(tmp_path: Path, text: str) -> None:
    write_specs(tmp_path / "old", {})
    hostile = text.encode("utf-8", "replace").decode()
    write_specs(tmp_path / "new", dict.fromkeys(LITERALS, hostile))
    request = Request("old", "new", Setting(tmp_path), None, Moment(TODAY), with_counterexamples=False)
    report = Report()
    with within(2_000_000):
        reviewed = run_review(request, report)
        assert reviewed is not None, report.diagnostics[:3]
        assert reviewed.summary.review.findings
        for each in FORMATS:
            printed = each.render(reviewed.summary, Style(verbose=True))
            assert CONTROL.search(printed) is None, each.name
