"""How much work something is, counted and not clocked: the same on every machine, busy or not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

_COUNTED = frozenset({"call", "c_call"})


@contextmanager
def within(calls: int) -> Iterator[None]:
    """Fails the test as soon as more functions than `calls` were called, those of C counted; loops without a call are not seen."""
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
        yield
    finally:
        sys.setprofile(before)


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called meanwhile."""
    found = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal found
        found += event in _COUNTED

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return found
