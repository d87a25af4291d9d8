"""Runs one batch from its seed."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

from apigen.review.rules.registry import RULES
from apigen.review.rules.rule import Rule
from tests.review.model.batch import make_batch
from tests.review.model.modules import MODULES
from tests.review.model.trials import Result, try_batch

FAMILIES = 40
"""Families of schemas in a batch; each is some eighteen pairs."""


def run_batch(
    seed: int, rules: tuple[Rule, ...] = RULES, families: int = FAMILIES, among: tuple[str, ...] = ()
) -> Result:
    """Generate a batch, compile it, review and try it. `among` are the changes to apply; all, if none are named."""
    random = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        batch = make_batch(random, families, Path(folder), among)
        result = try_batch(batch, random, rules)
        MODULES.forget(f"_{Path(folder).name}")
    return result
