"""The entry point of the command `apigen` and of `python -m apigen`."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from apigen.cli.main import main

_RARELY = (100_000, 50, 50)
"""Garbage collection thresholds. A run creates few cycles; the default thresholds cost about an eighth of its time."""


_ROOM = 64 * 1024
"""Values for which there is room in the block of memory in which Python keeps what calls need."""


def program() -> NoReturn:
    """Run the command line and end the process with its exit code.

    The system frees the memory of a process at once; Python would free each value. If a debugger or profiler observes
    the run, or a thread still works, Python ends it as usual.
    """
    gc.set_threshold(*_RARELY)
    code = _with_room(main)()
    threading = sys.modules.get("threading")
    if (
        (threading is not None and threading.active_count() > 1)
        or sys.getprofile() is not None
        or sys.gettrace() is not None
    ):
        sys.exit(code)
    atexit._run_exitfuncs()  # `os._exit` does not call them
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _with_room(run: Callable[[], int]) -> Callable[[], int]:
    """Return a function that calls `run` with a stack frame in a large block of memory.

    Python requests 16 KB from the system whenever a frame does not fit, and frees them when the call returns: if calls
    cross such a boundary repeatedly, as nested imports do, that happens a thousand times. A call with a large frame
    gets a larger block.
    """

    def roomy() -> int:
        return run()

    roomy.__code__ = roomy.__code__.replace(co_stacksize=_ROOM)
    return roomy
