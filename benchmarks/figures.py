"""The figures of a run: numbers by name, and what they were measured with.

A name is `contender/operation/object`, such as `go/json_decode/pod`; numbers are in seconds, bytes or lines. They are kept
as JSON, so that a later run can be held against them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

Figures = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Results:
    """All that a run found. `ratios` are what its targets were judged by; only those carry over to another machine."""

    commit: str
    machine: str
    versions: Mapping[str, str]
    figures: Figures
    ratios: Figures

    def write(self, path: Path) -> None:
        """Write as JSON, with numbers short enough to be read."""
        short = {"figures": _short(self.figures), "ratios": _short(self.ratios)}
        path.write_text(json.dumps(asdict(self) | short, indent=1) + "\n", encoding="utf-8")


def read_results(text: str) -> Results:
    """Results from what `Results.write` wrote. Raises ValueError, with what is missing, if it is something else."""
    found = json.loads(text)
    if not isinstance(found, dict) or not found.keys() >= {"commit", "machine", "versions", "figures", "ratios"}:
        raise ValueError("no results of a benchmark: commit, machine, versions, figures and ratios are expected")
    return Results(str(found["commit"]), str(found["machine"]), found["versions"], found["figures"], found["ratios"])


def least(*runs: Figures) -> dict[str, float]:
    """The least of each figure, of several runs."""
    found: dict[str, float] = {}
    for run in runs:
        for name, value in run.items():
            found[name] = min(value, found.get(name, value))
    return found


def _short(figures: Figures) -> dict[str, float]:
    return {name: float(f"{value:.4g}") for name, value in sorted(figures.items())}
