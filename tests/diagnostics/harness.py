"""The one place that says what a case of `cases/` runs."""

from __future__ import annotations

from pathlib import Path

from apigen.diagnostics import Report
from apigen.spec.load import load_api


def check_specs(root: Path, display_root: Path) -> Report:
    """Everything that is checked of a spec folder, with paths shown relative to `display_root`."""
    report = Report()
    load_api(root, report, display_root=display_root)
    return report
