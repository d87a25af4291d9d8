"""Slow sets of similar cases, of which a run tests a share: each commit another one, `make test-complete` all of them.

A share is for cases of which any few fail together: inputs of one sweep, releases of one project, seeds. What has an
expectation of its own is not shared out. As a plugin for pytest, `-p tests.share --one-in 4` runs a share of the test files.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar
from zlib import crc32

import pytest

ALL = "APIGEN_COMPLETE"
"""Set by `make test-complete` and by targets that test all of one sweep."""

T = TypeVar("T")


def share(cases: Sequence[T], one_in: int, *, of: str = "") -> list[T]:
    """Return each `one_in`-th of the cases, at least one; which one is first depends on the commit and on `of`."""
    if ALL in os.environ or not cases:
        return list(cases)
    step = min(one_in, len(cases))
    return list(cases[crc32(f"{_commit()} {of}".encode()) % step :: step])


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
