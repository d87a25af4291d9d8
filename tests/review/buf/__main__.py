"""`python -m tests.review.buf`: the agreement with buf, in numbers; `--write` pins the differences and writes the page."""

from __future__ import annotations

import sys
from collections import Counter

from tests.review.buf.agreement import Row, rows
from tests.review.buf.cases import all_cases
from tests.review.buf.page import PAGE, page
from tests.review.buf.pinned import PINNED, as_text
from tests.review.buf.reasons import reason


def main(arguments: list[str]) -> int:
    """Print what agrees and what does not; 1 where a difference has no reason."""
    found = [row for case in all_cases() for row in rows(case)]
    counts: Counter[str] = Counter()
    for row in found:
        counts[row.outcome.value] += row.count
    print(", ".join(f"{outcome}: {count}" for outcome, count in sorted(counts.items())))
    unexplained = [row for row in found if reason(row) is None]
    for row in unexplained:
        print(f"no reason: {_words(row)}")
    if "--write" in arguments:
        PINNED.write_text(as_text(found), encoding="utf-8")
        PAGE.write_text(page(found), encoding="utf-8")
    return 1 if unexplained else 0


def _words(row: Row) -> str:
    by = ", ".join(row.by) or "nothing"
    return f"{row.case} {row.told.file}:{row.told.line} {row.told.rule}: {row.outcome.value}; ours there: {by}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
