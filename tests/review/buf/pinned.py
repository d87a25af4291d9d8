"""The differences that are known: a new one, or one less, fails the test."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tests.review.buf.agreement import Outcome, Row

PINNED = Path(__file__).parent / "differences.jsonl"


def as_text(rows: Iterable[Row]) -> str:
    """A line of JSON for each difference, in order."""
    return "".join(f"{line}\n" for line in sorted(_line(row) for row in rows if row.outcome is not Outcome.SAME))


def _line(row: Row) -> str:
    told = row.told
    said = {"case": row.case, "file": told.file, "line": told.line, "buf": told.rule, "count": row.count}
    return json.dumps(said | {"outcome": row.outcome.value, "ours": list(row.by)})
