"""Of slow tests and of slow sets of similar cases, a run without arguments runs a share: each commit another one.

A test that takes more than a second is marked as slow, unless it is the only one that fails for a broken rule, lens, default
or record of Kubernetes. A run of all tests runs one in sixteen of them. `make test-complete` runs all, and so does a run that
names files, tests or words (`make test ARGS="-k name"`). As a plugin for pytest, `-p tests.share --one-in 4` runs a
share of the named test files.
"""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar
from zlib import crc32

import pytest

ALL = "APIGEN_COMPLETE"
"""Set by `make test-complete` and by targets that test all of one sweep."""

SLOW = "slow"
"""The marker of slow tests: `@pytest.mark.slow`, or `@pytest.mark.slow(one_in=16)` for those that take ten seconds.

A file whose tests share a slow fixture has `pytestmark = pytest.mark.slow(as_file=True)`: all of them are run, or none.
"""

USUAL = 16
"""One in so many slow tests is run."""

T = TypeVar("T")


def share(cases: Sequence[T], one_in: int, *, of: str = "") -> list[T]:
    """Return each `one_in`-th of the cases, at least one; which one is first depends on the commit and on `of`."""
    if ALL in os.environ or not cases:
        return list(cases)
    step = min(one_in, len(cases))
    return list(cases[_number_of_commit(of) % step :: step])


def share_of_tests(items: Sequence[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Return the tests to run, and the slow ones that are not in the share of this commit."""
    seen: Counter[str] = Counter()
    chosen: list[pytest.Item] = []
    omitted: list[pytest.Item] = []
    for item in items:
        slow = item.get_closest_marker(SLOW)
        is_chosen = True
        if slow is not None:
            as_file = slow.kwargs.get("as_file", False)
            of = item.nodeid.partition("::" if as_file else "[")[0]
            seen[of] += not as_file
            is_chosen = (_number_of_commit(of) + seen[of]) % slow.kwargs.get("one_in", USUAL) == 0
        (chosen if is_chosen else omitted).append(item)
    return chosen, omitted


def _number_of_commit(of: str) -> int:
    """A number that differs between commits and, in one commit, between the things it is for."""
    return crc32(f"{_commit()} {of}".encode())


@cache
def _commit() -> str:
    """The name of the commit that is checked out; empty outside of a checkout, where each run tests the same share."""
    command = ["git", "rev-parse", "HEAD"]
    found = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return found.stdout.strip()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--one-in", type=int, default=1, help="run one of so many test files, chosen by the commit")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Omit the test files that are not in the share of this run; None leaves the decision to others."""
    if not collection_path.name.startswith("test_"):
        return None
    files = sorted(path.name for path in collection_path.parent.glob("test_*.py"))
    return collection_path.name not in share(files, config.getoption("one_in")) or None
