"""The differences that are known: a new one, or one less, fails the test."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.review.buf.agreement import Outcome, Row
from tests.review.buf.cases import Told

PINNED = Path(__file__).parent / "differences.jsonl"


def as_text(rows: Iterable[Row]) -> str:
    """A line of JSON for each difference, in order."""
    return "".join(f"{line}\n" for line in sorted(_line(row) for row in rows if row.outcome is not Outcome.SAME))


def known(outcome: Outcome) -> Iterator[tuple[str, Told]]:
    """The cases and findings of the known differences with an outcome."""
    for line in PINNED.read_text(encoding="utf-8").splitlines():
        said = json.loads(line)
        if said["outcome"] == outcome.value:
            yield said["case"], Told(said["buf"], said["file"], said["line"])


def _line(row: Row) -> str:
    told = row.told
    said = {"case": row.case, "file": told.file, "line": told.line, "buf": told.rule, "count": row.count}
    return json.dumps(said | {"outcome": row.outcome.value, "ours": list(row.by)})
