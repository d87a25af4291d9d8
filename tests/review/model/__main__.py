"""Tries random pairs of schemas: `python -m tests.review.model --pairs 100000`. Prints findings that are too strict;
an unsound result fails.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from multiprocessing import get_context
from pathlib import Path

from apigen.review.rules.registry import RULES
from tests.review.counterexamples.published import publish
from tests.review.model.minimising import minimised
from tests.review.model.reaching import NOT_MADE, unreached
from tests.review.model.running import run_batch
from tests.review.model.trials import Result, Unsound

PROCESSES = 2
MOST_SHOWN = 5
LOOKED_FOR = (100_000, 20, 50)
"""How rarely a process looks for garbage: a batch leaves little of it, and ends soon."""
TABLE = Path(__file__).resolve().parents[3] / "build" / "diff-proof.md"


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(prog="python -m tests.review.model", description=__doc__)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3_300, help="stop after so many")
    parser.add_argument("--write", action="store_true", help="put the table into the docs")
    asked = parser.parse_args()
    started = time.monotonic()
    total = Result()
    with get_context("spawn").Pool(PROCESSES, gc.set_threshold, LOOKED_FOR, maxtasksperchild=4) as pool:
        for result in pool.imap_unordered(run_batch, range(asked.seed * 1_000_000, (asked.seed + 1) * 1_000_000)):
            total.add(result)
            for found in result.unsound[:MOST_SHOWN]:
                print(told(found), file=sys.stderr)
            print(f"{total.pairs:,} pairs, {len(total.unsound)} unsound", file=sys.stderr)
            if total.pairs >= asked.pairs or time.monotonic() - started > asked.seconds:
                pool.terminate()
                break
    text = table(total, asked.seed, time.monotonic() - started)
    TABLE.parent.mkdir(exist_ok=True)
    TABLE.write_text(text, encoding="utf-8")
    print(text)
    if asked.write:
        publish("proof", text)
    return 1 if total.unsound else 0


def table(total: Result, seed: int, seconds: float) -> str:
    """The numbers of trials, and by rule and direction, how often an object showed that it breaks."""
    lines = [
        _agreement(total),
        "",
        f"Seed {seed}: {total.pairs:,} pairs, {total.objects:,} objects, {total.trials:,} trials in {seconds:,.0f} s;"
        f" {total.safe:,} directions were called safe, {len(total.unsound)} of them are not.",
        "",
        f"{len(total.rules)} rules struck. {_left_open(total)}",
        "",
        "| rule | direction | pairs in which only this rule reports a break | with a counterexample | without |",
        "|---|---|---|---|---|",
    ]
    for (rule, direction), said in sorted(total.said.items()):
        shown = total.shown[rule, direction]
        lines.append(f"| `{rule}` | {direction.value} | {said} | {shown} | {said - shown} |")
    return "\n".join([*lines, ""])


def _agreement(total: Result) -> str:
    """Compare the review with the objects, and with a review that reports nothing, or everything."""
    every = sum(total.directions.values())
    found, others = total.directions[True, True], total.directions[True, False]
    safe, missed = total.directions[False, False], total.directions[False, True]
    agreeing, without_breaks, with_breaks = (
        f"{each / (every or 1):.1%}" for each in (found + safe, others + safe, found + missed)
    )
    return (
        f"Agreement: {agreeing} of {every:,} directions, which are those of a quarter of the pairs. Objects break"
        f" {found + missed:,} of them, of which the review reports {found:,}; it reports {others:,} others, and calls"
        f" {safe + missed:,} safe. A review that reports nothing agrees in {without_breaks}, and finds no break; one that"
        f" reports every direction agrees in {with_breaks}."
    )


def _left_open(total: Result) -> str:
    missing = unreached(total.rules)
    named = (
        f"; of the rules that specs can lead to these did not: {', '.join(f'`{rule}`' for rule in missing)}"
        if missing
        else ""
    )
    return f"No change of specs leads to {len(NOT_MADE)} others{named}."


def told(found: Unsound) -> str:
    """An unsound result with its pair, minimized."""
    old, new = minimised(found, RULES)
    lines = [
        f"{found.direction.value} was called safe, and {found.outcome.text}",
        f"  {found.written_by.value} object: {json.dumps(found.value)}",
        f"  changes: {found.changes}",
        *(f"  {rule}" for rule in found.rules),
        f"  old: {json.dumps(old)}",
        f"  new: {json.dumps(new)}",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
