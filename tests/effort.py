"""How much work something is, counted and not clocked: the same on every machine, busy or not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

_COUNTED = frozenset({"call", "c_call"})


@contextmanager
def within(calls: int) -> Iterator[Callable[[], int]]:
    """Fails the test as soon as more functions than `calls` were called, those of C counted; loops without a call are not seen.

    What it gives tells how many were called until then.
    """
    left = calls

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal left
        if event in _COUNTED:
            left -= 1
            if left < 0:
                sys.setprofile(None)
                pytest.fail(f"more than {calls:,} calls, in {frame.f_code.co_qualname}")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield lambda: calls - left
    finally:
        sys.setprofile(before)


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called meanwhile."""
    with within(sys.maxsize) as called:
        work()
        return called()


def lines_of(work: Callable[[], object]) -> int:
    """Return how many lines of Python are executed meanwhile, so that loops without calls are counted, too."""
    lines = 0

    def count(frame: FrameType, event: str, argument: object) -> Callable[..., object]:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        work()
    finally:
        sys.settrace(before)
    return lines
