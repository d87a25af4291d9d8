"""Runs all records of strategies on a package, and says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.kubernetes.records import preparations
from tests.kubernetes.whole.strategies import Prepared, check_all_groups, groups, unused_causes
from tests.kubernetes.whole.strategy_pairs import Pair, broken_rules, pairs
from tests.kubernetes.whole.strategy_table import Result, result

MOST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class StrategyReport:
    """The tables, and each thing that is wrong as a sentence."""

    result: Result
    problems: tuple[str, ...]


def report_on(built: Path, processes: int) -> StrategyReport:
    """`built` holds the package that all of Kubernetes was compiled to."""
    outcomes = check_all_groups(built, processes)
    found = pairs([record for file in groups() for record in preparations(*file)], outcomes)
    return StrategyReport(result(outcomes, found), problems_of(outcomes, found))


def problems_of(outcomes: Sequence[Prepared], found: Sequence[Pair]) -> tuple[str, ...]:
    """Records that must agree and do not, fields that must follow the standard rule and do not, causes of nothing."""
    wrong = [f"{outcome.resource}: {outcome.name}: {outcome.problem[:300]}" for outcome in outcomes if outcome.problem]
    left = [f"… and {len(wrong) - MOST_SHOWN} more records"] if len(wrong) > MOST_SHOWN else []
    return (*wrong[:MOST_SHOWN], *left, *broken_rules(found, outcomes), *unused_causes(outcomes))
