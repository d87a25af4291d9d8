"""`python -m tests.review.kubernetes_history [--write]`: Kubernetes' history against what its Go sources say."""

from __future__ import annotations

import sys

from tests.review.kubernetes_history.checking import rows, step
from tests.review.kubernetes_history.page import PAGE, page
from tests.review.kubernetes_history.releases import STEPS


def main(arguments: list[str]) -> int:
    """Print what does not agree; with `--write`, write the page of the docs. Returns 0 if everything agrees."""
    problems = 0
    for pair in STEPS:
        found = step(*pair)
        said = [f"missed: {outcome.truth.words}" for outcome in found.missing]
        said += [f"invented: {type(change).__name__} {change.element}" for change in found.invented]
        said += [f"error without a reason: {each.rule} {each.element}" for each in found.unexpected]
        said += [f"a reason without its error: {each}" for each in found.overdue]
        said += [f"not as expected: {problem}" for _, wrong in rows(found) for problem in wrong]
        print(f"{pair[0]} to {pair[1]}: {len(found.outcomes)} changes, {len(said)} problems")
        print(*(f"  {line}" for line in said), sep="\n", end="\n" if said else "")
        problems += len(said)
    if "--write" in arguments:
        PAGE.write_text(page(), encoding="utf-8")
        print(f"written: {PAGE.name}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
