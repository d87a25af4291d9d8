"""What is asked of the compiler as specs grow: that a field costs no more."""

from __future__ import annotations

from benchmarks.size.scales import SCALES
from benchmarks.targets import Target

TARGETS = tuple(
    Target(
        f"{what} per field, {scale} × Kubernetes' size",
        f"apigen/{scale}/{figure}", 1.15, f"apigen/1/{figure}", "Kubernetes' size",
    )
    for scale in SCALES[1:]
    for what, figure in (("CPU", "cpu per field"), ("memory", "peak per field"))
)  # fmt: skip
