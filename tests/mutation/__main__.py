"""`python -m tests.mutation`: mutate, test, and compare surviving mutants with the list.

Exits with 1 for an unlisted survivor, for a listed mutant that is killed, and for a target whose tests fail without a
mutant.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.mutation import survivors
from tests.mutation.mutants import Name
from tests.mutation.running import Outcome, Run, run_target
from tests.mutation.targets import TARGETS


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--target", default="", help="only targets with this in their name")
    parser.add_argument("--only", default="", help="only mutants with this in their module, function or change")
    parser.add_argument("--package", default="generated", help="the generated package, a folder below the current one")
    options = parser.parse_args()
    sys.path.insert(0, str(Path.cwd()))
    known = survivors.read()
    problems: list[str] = []
    survived: list[tuple[str, Name]] = []
    ended: list[tuple[str, Name]] = []
    rows: list[tuple[str, ...]] = []
    for target in TARGETS:
        if options.target not in target.name:
            continue
        begun = time.monotonic()
        run = run_target(target, options.package, options.only)
        if run.problem:
            problems.append(f"{target.name}: {run.problem}")
        rows.append((target.name, *_counts(run), f"{time.monotonic() - begun:.0f} s"))
        alive = [mutant.name for mutant, outcome in run.outcomes.items() if outcome is Outcome.SURVIVED]
        survived += ((target.name, name) for name in alive)
        ended += ((target.name, mutant.name) for mutant in run.outcomes if mutant.name not in alive)
        listed = {one.name for one in known if one.target == target.name}
        new = [name for name in alive if name not in listed]
        if new:
            print(survivors.as_yaml(target.name, new))
    if options.only:  # the rest of the list was not tried
        known = []
    problems += survivors.differences(survived, ended, known)
    _show(rows)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def _counts(run: Run) -> tuple[str, ...]:
    outcomes = list(run.outcomes.values())
    return (str(len(outcomes)), *(str(outcomes.count(outcome)) for outcome in Outcome))


def _show(rows: list[tuple[str, ...]]) -> None:
    heads = ("target", "mutants", *(str(outcome) for outcome in Outcome), "time")
    widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
    for row in (heads, *rows):
        first, *others = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join((row[0].ljust(widths[0]), *others)).rstrip() if first else "")


if __name__ == "__main__":
    sys.exit(main())
