"""What a review of definitions calls safe is safe: random pairs, each side a server that is given the other's objects."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apigen.ir.surface import Surface
from apigen.review.results import Direction
from apigen.review.review import review
from tests.review.crdify.server import Server
from tests.review.schemas.randomized import LEAVES
from tests.review.schemas.randomized_definitions import StructuralMaker
from tests.review.schemas.reading import crd, whole_definition

PAIRS = int(os.environ.get("APIGEN_PAIRS", "160"))
PARTS = 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(PARTS))
def test_safe_changes_never_reject_or_lose_values(tmp_path: Path, seed: int) -> None:
    maker = StructuralMaker(seed)
    values = [{"spec": each} for each in (*LEAVES, *(maker.value() for _ in range(150)))]
    for _ in range(PAIRS // PARTS):
        old = maker.document()
        new = maker.changed(old)
        surfaces = [_surface(tmp_path, each) for each in (old, new)]
        effect = {direction for finding in review(*surfaces).findings for direction in finding.effects}
        servers = [Server(whole_definition(each)) for each in (old, new)]
        for direction, writer, reader in ((Direction.STORED, *servers), (Direction.ROLLBACK, *reversed(servers))):
            lost = [] if direction in effect else list(_lost(writer, reader, values))
            assert lost == [], f"{direction}\nold: {json.dumps(old)}\nnew: {json.dumps(new)}"


def _lost(writer: Server, reader: Server, values: list[dict[str, Any]]) -> Iterator[Any]:
    """What a server has stored, and another rejects or has without something."""
    for value in values:
        stored = writer.read(value)
        if stored is not None and not _keeps(stored, reader.read(stored)):
            yield stored


def _keeps(before: Any, after: Any) -> bool:
    if isinstance(before, dict) and isinstance(after, dict):
        return all(name in after and _keeps(value, after[name]) for name, value in before.items())
    if isinstance(before, list) and isinstance(after, list):
        return len(before) == len(after) and all(map(_keeps, before, after))
    return type(before) is type(after) and bool(before == after)


def _surface(folder: Path, schema: dict[str, Any]) -> Surface:
    read = crd(folder, whole_definition(schema))
    assert read.surface is not None, read.diagnostics
    return read.surface
