"""Tries random pairs of CRDs: `python -m tests.review.pipeline --pairs 100000`; `--write` writes the table into the records."""

from __future__ import annotations

import argparse
import sys
import time
from multiprocessing import get_context
from pathlib import Path

from tests.review.pipeline.pairs import BATCH, Result, batch

PAGE = Path(__file__).resolve().parents[3] / "tests/records/pairs-of-crds.md"

HEAD = """# Random pairs of CRDs

`python -m tests.review.pipeline --write` writes this page; `make diff-proof` runs the same command. Each pair is a schema of a CRD and the
same schema with one to three edits. Objects are evaluated by both schemas as kube-apiserver does (`apigen/runtime/structural`). A pair
is *unsound* if an object is accepted at the base and rejected at the revision, and the review has neither an error nor a finding that
is not verified.

A finding counts as *without an object* if its pair has accepted objects, and all of them are accepted and stored unchanged at the revision. Some
of these findings are too strict; others need an object that is not among the random ones.
"""


def page(found: Result, seconds: float) -> str:
    """The page about what came out."""
    summary = (
        f"{found.pairs:,} pairs with {found.objects:,} accepted objects in {seconds:,.0f} s: {found.rejecting:,} pairs with an object that the "
        f"revision rejects, {len(found.unsound)} unsound."
    )
    rows = [f"| `{rule}` | {count:,} | {found.strict[rule]:,} |" for rule, count in found.reported.most_common()]
    return "\n".join(
        [HEAD, summary, "", "| rule | pairs with an error | without an object |", "|---|---|---|", *rows, ""]
    )


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(prog="python -m tests.review.pipeline", description=__doc__)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="the first batch")
    parser.add_argument("--seconds", type=float, default=3_300, help="stop after so many")
    parser.add_argument("--write", action="store_true", help="write the page of the records")
    asked = parser.parse_args()
    started = time.monotonic()
    total = Result()
    with get_context("spawn").Pool(2) as pool:
        for result in pool.imap_unordered(batch, range(asked.first, asked.first + -(-asked.pairs // BATCH))):
            total.add(result)
            if time.monotonic() - started > asked.seconds:
                pool.terminate()
                break
    text = page(total, time.monotonic() - started)
    print(text)
    if total.unsound:
        print("unsound:", *sorted(total.unsound)[:20], file=sys.stderr)
    if asked.write:
        PAGE.write_text(text, encoding="utf-8")
    return 1 if total.unsound else 0


if __name__ == "__main__":
    sys.exit(main())
