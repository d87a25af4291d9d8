"""Times calls inside a process, and the memory that objects hold."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

WINDOW_SECONDS = 0.004
"""Shorter than the slice of time that a busy system gives a process, so that some windows are not interrupted."""
WINDOWS = 15
TRIES = 3
"""How often it is tried how many calls fill a window: one that is interrupted would make windows of a single call."""
BATCH = 200
GROWTH = 16 << 20
"""So many bytes of objects are kept; what is measured is pages, and the last one counts little then."""


def seconds_per_call(call: Callable[[], object]) -> float:
    """The best of several windows; the first call loads what it needs."""
    call()
    with _no_collector():
        count = 1
        while (spent := min(_spent(call, count) for _ in range(TRIES))) < WINDOW_SECONDS / 4:
            count *= 4
        count = max(1, int(count * WINDOW_SECONDS / spent))
        return min(_spent(call, count) for _ in range(WINDOWS)) / count


def seconds_in_place(call: Callable[[object], object], fresh: Callable[[], object]) -> float:
    """The same for a call that changes its argument, which is made outside the clock."""
    best = float("inf")
    for _ in range(WINDOWS):
        arguments = [fresh() for _ in range(BATCH)]
        with _no_collector():
            started = time.perf_counter()
            for argument in arguments:
                call(argument)
            best = min(best, (time.perf_counter() - started) / BATCH)
    return best


def bytes_per_object(make: Callable[[], object]) -> float:
    """By how much the process grows per object that is kept, after what importing left free has been used up."""
    kept = [make()]
    with _no_collector():
        _grow(kept, make)
        before, count = _resident(), len(kept)
        _grow(kept, make)
    return (_resident() - before) / (len(kept) - count)


def _grow(kept: list[object], make: Callable[[], object]) -> None:
    start = _resident()
    while _resident() - start < GROWTH:
        kept.extend(make() for _ in range(20))


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _spent(call: Callable[[], object], count: int) -> float:
    started = time.perf_counter()
    for _ in range(count):
        call()
    return time.perf_counter() - started


@contextmanager
def _no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
