"""What is asked of reviews: CPU seconds of whole processes, next to the peer's in the same run."""

from __future__ import annotations

from benchmarks.targets import Target

TARGETS = (
    Target("two releases of all of Kubernetes, cold", "apigen/cold/cpu", 1.5, "buf/cpu", "buf breaking", 1),
    Target("two releases of all of Kubernetes, from cache", "apigen/cached/cpu", 0.5, "buf/cpu", "buf breaking", 0.2),
    Target("a CRD of 7,000 lines, cold", "apigen/crd/cpu", 1.5, "crdify/cpu", "crdify", 1),
)
