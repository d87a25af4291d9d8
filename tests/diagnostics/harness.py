"""The one place that says what a case of `cases/` runs."""

from __future__ import annotations

from pathlib import Path

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report


def check_specs(root: Path, display_root: Path) -> Report:
    """Everything that is checked of a spec folder, with paths shown relative to `display_root`.

    Hand-written functions are those of a folder `handwritten` next to the specs.
    """
    report = Report()
    check(Sources(root, root.parent / "handwritten", display_root), report)
    return report
