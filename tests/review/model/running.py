"""Runs one batch from its seed: tries its pairs, or reviews them only."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from apigen.review.prover.regex import one_account
from apigen.review.results import Direction
from apigen.review.rules.registry import RULES
from apigen.review.rules.rule import Rule
from tests.review.model.batch import make_batch
from tests.review.model.modules import MODULES
from tests.review.model.trials import Pair, Result, Unsound, pairs_of

FAMILIES = 40
"""Families of schemas in a batch; each is some eighteen pairs."""


@contextmanager
def _reviewed(
    random: Random, rules: tuple[Rule, ...], families: int, among: tuple[str, ...]
) -> Iterator[Iterator[Pair]]:
    """The pairs of a random batch. What is found out of patterns is kept for all of them, as all have the same few."""
    with tempfile.TemporaryDirectory() as folder, one_account(sys.maxsize):
        try:
            yield pairs_of(make_batch(random, families, Path(folder), among), rules)
        finally:
            MODULES.forget(f"_{Path(folder).name}")


def run_batch(
    seed: int, rules: tuple[Rule, ...] = RULES, families: int = FAMILIES, among: tuple[str, ...] = ()
) -> Result:
    """Generate a batch, compile it, review and try it. `among` are the changes to apply; all, if none are named."""
    random = Random(seed)
    result = Result()
    with _reviewed(random, rules, families, among) as pairs:
        for pair in pairs:
            pair.run(random, result)
    return result


def first_unsound(
    seed: int, rules: tuple[Rule, ...], families: int, among: tuple[str, ...], direction: Direction
) -> Unsound | None:
    """Likewise, until a direction is found that was called safe though an object shows that it is not; None if none is."""
    random = Random(seed)
    result = Result()
    with _reviewed(random, rules, families, among) as pairs:
        for pair in pairs:
            pair.run(random, result)
            found = next((each for each in result.unsound if each.direction is direction), None)
            if found is not None:
                return found
    return None


def rules_found(seed: int, families: int, among: tuple[str, ...]) -> set[str]:
    """The ids of the rules that reviews of a batch report; nothing is tried."""
    with _reviewed(Random(seed), RULES, families, among) as pairs:
        return {finding.rule for pair in pairs for finding in pair.findings}
