"""What strategies do, record by record."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from tests.kubernetes.evolution.section import Report
from tests.kubernetes.whole.building import build_apart
from tests.kubernetes.whole.releases import REFERENCE
from tests.kubernetes.whole.shared import ROOT
from tests.kubernetes.whole.strategy_report import StrategyReport, report_on
from tests.kubernetes.whole.strategy_table import lines


def report(folder: Path) -> Report:
    """Compile all of Kubernetes, and run all records."""
    found = checked(folder)
    return Report(tuple(lines(found.result)), found.problems)


@cache
def checked(folder: Path) -> StrategyReport:
    """The tables of all records, on a package compiled again."""
    built = folder / REFERENCE
    built.mkdir(parents=True, exist_ok=True)
    build_apart(ROOT / "api-specs" / "kubernetes", built)
    return report_on(built, os.cpu_count() or 1)
