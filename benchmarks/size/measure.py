"""Compiles specs of several times the size of Kubernetes' API, cold, and counts what a field costs."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from benchmarks.compiler.projects import scaled
from benchmarks.figures import Figures, least
from benchmarks.progress import tell
from benchmarks.scaling import number_of_fields
from benchmarks.size.scales import SCALES


def measure(rounds: int) -> Figures:
    """CPU and peak of memory by field. All sizes take all rounds but the largest, which takes minutes: one."""
    found: dict[str, float] = {}
    for scale in SCALES:
        found |= least(*(_cost(scale) for _ in range(1 if scale == SCALES[-1] else rounds)))
    return found


def _cost(scale: int) -> Figures:
    tell(f"{scale} × Kubernetes' size")
    with tempfile.TemporaryDirectory() as name:
        project = scaled(Path(os.path.realpath(name)), scale)
        fields = number_of_fields(project.folder / "specs")
        cost = project.cost_of("generate")
    return {
        f"apigen/{scale}/cpu": cost.cpu_seconds,
        f"apigen/{scale}/peak": cost.peak_bytes,
        f"apigen/{scale}/cpu per field": cost.cpu_seconds / fields,
        f"apigen/{scale}/peak per field": cost.peak_bytes / fields,
    }
