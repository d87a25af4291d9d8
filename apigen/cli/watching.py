"""Wait for changed files by polling several times per second, which works on every file system."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from apigen.language.folders import LOCK_SUFFIX

INTERVAL = 0.1
"""Seconds between two looks."""

SETTLED = 0.03
"""Seconds without changes before a change is reported, because editors and checkouts write several files."""

_State = dict[str, tuple[int, int, int]]


def changes(
    paths: Sequence[Path], sleep: Callable[[float], None] = time.sleep, is_over: Callable[[], bool] = lambda: False
) -> Iterator[None]:
    """Yield at once, and then after every change of a file that is one of the paths or below one, once changes pause.

    Changes during the caller's work are yielded next. Lock files are ignored, because the caller writes them. It ends
    once `is_over` returns true, which is checked before each look.
    """
    seen = _state(paths)
    while True:
        yield
        while True:
            if is_over():
                return
            now = _state(paths)
            if now != seen:
                break
            sleep(INTERVAL)
        while True:
            sleep(SETTLED)
            later = _state(paths)
            if later == now:
                break
            now = later
        seen = now


@contextmanager
def noticing_interrupts() -> Iterator[Callable[[], bool]]:
    """Return a function that reports whether Ctrl-C was pressed; Ctrl-C still raises KeyboardInterrupt, too.

    Python drops an exception that is raised during the destruction of an object. Ignored interrupts are still ignored.
    """
    is_noticed = False

    def notice(number: int, frame: FrameType | None) -> None:
        nonlocal is_noticed
        is_noticed = True
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, notice)
    try:
        yield lambda: is_noticed
    finally:
        signal.signal(signal.SIGINT, before)


def _state(paths: Sequence[Path]) -> _State:
    """Return the state of each file in the file system; a file that cannot be read counts as missing."""
    states: _State = {}
    waiting = [str(path) for path in paths]
    while waiting:
        path = waiting.pop()
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    if entry.name.startswith((".", "__pycache__")) or entry.name.endswith(LOCK_SUFFIX):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        _look(entry.path, states)
        except NotADirectoryError:
            _look(path, states)
        except OSError:
            continue
    return states


def _look(path: str, found: _State) -> None:
    try:
        status = os.stat(path)  # noqa: PTH116 -- creating a Path for each file takes longer than the check
    except OSError:
        return
    found[path] = status.st_mtime_ns, status.st_size, status.st_ino
