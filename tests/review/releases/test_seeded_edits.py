"""Breaking edits seeded into the CRDs of gateway-api are errors, without any object that shows them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.review.grouping import every
from apigen.review.reports.first_screen import path_of
from apigen.review.reports.summary import Summary
from apigen.review.results import Severity
from apigen.review.running import Request, run_review
from tests.review.releases.gateway_api import ARCHIVE, unpacked
from tests.review.releases.seeding import batches
from tests.share import ALL

pytestmark = pytest.mark.skipif(not ARCHIVE.exists(), reason=f"the releases of gateway-api are not at {ARCHIVE}")

COUNT = 500 if ALL in os.environ else 40


@pytest.mark.slow
def test_every_seeded_edit_is_an_error(tmp_path: Path) -> None:
    releases = unpacked(tmp_path)
    made = 0
    missed = []
    for name, edited, edits in batches(releases / "gateway-api/standard/v1.4.1", COUNT, seed=24):
        (tmp_path / "edited.yaml").write_text(yaml.safe_dump(edited), encoding="utf-8")
        summary = _reviewed(f"gateway-api/standard/v1.4.1/{name}", tmp_path)
        found = {
            (each.element.version, path_of(each).partition("(")[0])
            for each in every(summary.findings)
            if each.own_severity is Severity.ERROR
        }
        made += len(edits)
        missed += [edit for edit in edits if not any(_at(edit.version, edit.path, *place) for place in found)]
    assert not missed
    assert made >= COUNT


def _reviewed(base: str, folder: Path) -> Summary:
    report = Report()
    request = Request(base, "edited.yaml", Setting(folder), approvals=None, moment=None, with_counterexamples=False)
    reviewed = run_review(request, report)
    assert reviewed is not None, report.diagnostics
    return reviewed.summary


def _at(version: str, path: str, found_version: str, found_path: str) -> bool:
    return version == found_version and found_path.rstrip("[]{}.") == path
