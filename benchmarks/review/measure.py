"""Measures reviews: whole processes, start-up included, which take turns."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks import reviewing
from benchmarks.figures import Figures
from benchmarks.peers.places import TOOLS
from benchmarks.progress import tell
from benchmarks.review.crd import APIGEN, CRDIFY, crd_contenders

NAMES: Mapping[str, str] = {
    "apigen, nothing kept": "apigen/cold",
    "apigen, from cache": "apigen/cached",
    reviewing.BUF: "buf",
    APIGEN: "apigen/crd",
    CRDIFY: "crdify",
}
"""How a contender's figures begin."""


def measure(rounds: int) -> Figures:
    """The best of some turns, of which reviewing takes as many as it needs; `rounds` is for the other areas."""
    del rounds
    tell("reviews of all of Kubernetes and of one CRD")
    os.environ["PATH"] = f"{os.environ['PATH']}{os.pathsep}{TOOLS}"
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(os.path.realpath(name))
        contenders = [
            *reviewing.contenders_of(reviewing.OLD, reviewing.NEW, folder),
            *crd_contenders(folder / "no-cache"),
        ]
        for contender, cost in reviewing.measure(contenders).items():
            start = NAMES[contender]
            found |= {f"{start}/cpu": cost.cpu_seconds, f"{start}/wall": cost.seconds, f"{start}/peak": cost.peak_bytes}
    return found
