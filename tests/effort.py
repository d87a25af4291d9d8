"""How much work something is, counted and not clocked: the same on every machine, busy or not."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from cProfile import Profile
from types import FrameType

import pytest

_SECONDS = 1
"""CPU seconds after which calls are counted again."""


@contextmanager
def within(calls: int) -> Iterator[Callable[[], int]]:
    """Fails the test soon after more functions than `calls` were called, those of C counted; loops without a call are not seen.

    What it gives tells how many were called until then. The profiler of Python counts: a function that is called for each call
    would take three times as long.
    """
    profiler = Profile(subcalls=False)

    def count() -> int:
        return sum(entry.callcount for entry in profiler.getstats())  # type: ignore[attr-defined]

    def check(frame: FrameType | None) -> None:
        if count() > calls:
            profiler.disable()
            pytest.fail(f"more than {calls:,} calls, in {frame.f_code.co_qualname if frame else 'a function'}")

    before = signal.signal(signal.SIGVTALRM, lambda _, frame: check(frame))
    signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS, _SECONDS)
    profiler.enable()
    try:
        yield count
    finally:
        profiler.disable()
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    check(None)


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
