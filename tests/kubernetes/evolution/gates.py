"""Feature gates: stages, defaults, locks and dependencies."""

from __future__ import annotations

from pathlib import Path

from tests.kubernetes.evolution.section import Report
from tests.kubernetes.gates import compare, table


def report(_: Path) -> Report:
    """All gates of the API server at every release."""
    outcomes = compare()
    problems = tuple(f"{outcome.name}: {outcome.problem}" for outcome in outcomes if outcome.problem)
    return Report(tuple(table(outcomes)), problems)
