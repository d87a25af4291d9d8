"""The figures of a run: numbers by name, and what they were measured with.

A name is `contender/operation/object`, such as `go/json_decode/pod`; numbers are in seconds, bytes or lines. They are kept
as JSON, so that a later run can be compared with them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

Figures = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Results:
    """What one area found in one run. Its targets were evaluated with `ratios`; only those carry over to others."""

    commit: str
    machine: str
    versions: Mapping[str, str]
    figures: Figures
    ratios: Figures


def write_results(results: Mapping[str, Results], path: Path) -> None:
    """Write the results by area as JSON, with numbers short enough to be read."""
    made = {area: asdict(_short(found)) for area, found in results.items()}
    path.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def read_results(text: str) -> dict[str, Results]:
    """Results by area, from what `write_results` wrote. Raises ValueError if it is something else."""
    found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError("no results of a benchmark: an object with its areas is expected")
    try:
        return {str(area): Results(**results) for area, results in found.items()}
    except TypeError:
        names = ", ".join(field.name for field in fields(Results))
        raise ValueError(f"no results of a benchmark: each area has {names}") from None


def least(*runs: Figures) -> dict[str, float]:
    """The least of each figure, of several runs."""
    found: dict[str, float] = {}
    for run in runs:
        for name, value in run.items():
            found[name] = min(value, found.get(name, value))
    return found


def _short(results: Results) -> Results:
    return replace(results, figures=_digits(results.figures), ratios=_digits(results.ratios))


def _digits(figures: Figures) -> Figures:
    return {name: float(f"{value:.4g}") for name, value in sorted(figures.items())}
