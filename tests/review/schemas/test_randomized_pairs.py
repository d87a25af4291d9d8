"""What a review calls safe is safe: random pairs of schemas, and values that one side takes and the other rejects.

`APIGEN_PAIRS` says how many pairs are tried. What is over-strict is counted, and may not grow beyond what it was found to be.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from jsonschema.exceptions import SchemaError

from apigen.ir.surface import Surface
from apigen.review.results import Direction
from apigen.review.review import review
from tests.review.schemas.randomized import LEAVES, Maker
from tests.review.schemas.reading import schema

PAIRS = int(os.environ.get("APIGEN_PAIRS", "160"))
PARTS = 8
FROM_OLD = (Direction.STORED, Direction.OLD_CLIENT)
FROM_NEW = (Direction.ROLLBACK, Direction.NEW_CLIENT)


@dataclass(frozen=True)
class Pair:
    """Two documents that can be read, and what a review warns of."""

    old: dict[str, Any]
    new: dict[str, Any]
    rules: frozenset[str]
    effect: frozenset[Direction]


def pairs(seed: int, count: int, folder: Path) -> list[Pair]:
    """Random pairs; invalid schemas, and those that only refer to themselves, are omitted."""
    maker, found = Maker(seed), []
    for _ in range(count):
        old = maker.document()
        new = maker.changed(old)
        surfaces = [_surface(each, folder) for each in (old, new)]
        if surfaces[0] is not None and surfaces[1] is not None:
            findings = review(surfaces[0], surfaces[1]).findings
            effect = frozenset(direction for finding in findings for direction in finding.effects)
            found.append(Pair(old, new, frozenset(finding.rule for finding in findings), effect))
    return found


def _surface(document: dict[str, Any], folder: Path) -> Surface | None:
    try:
        Draft7Validator.check_schema(document)
    except SchemaError:
        return None
    read = schema(folder, json.dumps(document), "schema.json")
    assert read.surface is not None or read.codes == ["AG1434"], read.diagnostics
    return read.surface


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(PARTS))
def test_safe_changes_never_reject_values(tmp_path: Path, seed: int) -> None:
    made = Maker(seed)
    values = [*LEAVES, *(made.value() for _ in range(300))]
    for pair in pairs(seed, PAIRS // PARTS, tmp_path):
        old, new = Draft7Validator(pair.old), Draft7Validator(pair.new)
        for value in values:
            try:
                one, other = old.is_valid(value), new.is_valid(value)
            except RecursionError:  # an alternative that is the schema itself: no validator ends
                break
            unsafe = () if one == other else FROM_OLD if one else FROM_NEW
            assert (
                set(unsafe) <= pair.effect
            ), f"{value}\nold: {json.dumps(pair.old)}\nnew: {json.dumps(pair.new)}\n{pair.rules}"


def test_equal_pair_has_no_findings(tmp_path: Path) -> None:
    for seed in range(40):
        surface = _surface(Maker(seed).document(), tmp_path)
        assert surface is None or review(surface, surface).findings == ()
