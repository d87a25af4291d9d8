"""The page `tests/records/agreement-with-oasdiff.md`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from apigen.review.results import Severity
from tests.review.oasdiff.agreement import LEVELS, Row
from tests.review.oasdiff.reasons import reason

PAGE = Path(__file__).parents[2] / "records/agreement-with-oasdiff.md"

_INTRODUCTION = """<!-- Made by `python -m tests.review.oasdiff --write`. Do not edit. -->

# Agreement with oasdiff

`oasdiff changelog` reports changes between two OpenAPI documents as errors, warnings and information. Its own tests compare
{cases} different pairs of documents (package `checker`, commit 4553c69d, Apache-2.0). Here are its answers and those of
`apigen diff`. A test compares them again: a difference that is not on this page fails it.
"""


def page(rows: tuple[Row, ...]) -> str:
    """The page for all rows."""
    return "\n".join([_INTRODUCTION.format(cases=len(rows)), *_totals(rows), *_table(rows), *_differences(rows)]) + "\n"


def _totals(rows: tuple[Row, ...]) -> Iterator[str]:
    errors = sum(row.level == len(LEVELS) - 1 for row in rows)
    both = sum(row.agrees for row in rows)
    yield "## Result\n"
    yield "| error or no error | cases |\n|---|---|"
    yield f"| the same answer | {both} of {len(rows)} ({both / len(rows):.0%}) |"
    nothing = len(rows) - errors
    yield f"| a tool that never reports an error | {nothing} of {len(rows)} ({nothing / len(rows):.0%}) |"
    yield f"| error of oasdiff only | {sum(not row.agrees and row.severity is not Severity.ERROR for row in rows)} |"
    yield f"| error of apigen only | {sum(not row.agrees and row.severity is Severity.ERROR for row in rows)} |"
    yield ""


def _table(rows: tuple[Row, ...]) -> Iterator[str]:
    counts = Counter((row.severity, row.level) for row in rows)
    yield "## Worst answer in each case\n"
    yield f"| apigen \\ oasdiff | {' | '.join(LEVELS)} |\n|---|{'---|' * len(LEVELS)}"
    for severity in Severity:
        cells = (str(counts[severity, level]) for level in range(len(LEVELS)))
        name = "nothing" if severity is Severity.SILENT else severity.word
        yield f"| {name} | {' | '.join(cells)} |"
    yield ""


def _differences(rows: tuple[Row, ...]) -> Iterator[str]:
    yield "## Every difference\n\n| oasdiff | apigen | case | why |\n|---|---|---|---|"
    for row in rows:
        if not row.agrees:
            theirs = _listed(LEVELS[row.level], row.ids)
            ours = _listed("nothing" if row.severity is Severity.SILENT else row.severity.word, row.rules)
            yield f"| {theirs} | {ours} | `{row.case}` | {reason(row)} |"


def _listed(word: str, names: tuple[str, ...]) -> str:
    return f"{word}: {', '.join(f'`{name}`' for name in names)}" if names else word
