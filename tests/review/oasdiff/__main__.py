"""`python -m tests.review.oasdiff`: the agreement with oasdiff, in numbers; `--write` writes the page."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.review.oasdiff.agreement import rows
from tests.review.oasdiff.page import PAGE, page
from tests.review.oasdiff.reasons import reason


def main(arguments: list[str]) -> int:
    """Print how many cases agree; 1 if a difference has no reason."""
    with TemporaryDirectory() as folder:
        found = rows(Path(folder))
    print(f"{sum(row.agrees for row in found)} of {len(found)} cases agree")
    unexplained = [row for row in found if not row.agrees and reason(row) is None]
    for row in unexplained:
        print(f"no reason: {row}")
    if "--write" in arguments:
        PAGE.write_text(page(found), encoding="utf-8")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
