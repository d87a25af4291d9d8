"""What the command `apigen` and `python -m apigen` run."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from apigen.cli.main import main
from apigen.language.collecting import end_after_this

_RARELY = (100_000, 50, 50)
"""How many new objects there are between two collections of garbage, of which a run makes little: an eighth of its time else."""


_ROOM = 64 * 1024
"""Values for which there is room in the block of memory in which Python keeps what calls need."""


def program() -> NoReturn:
    """Run the command line and end the process with its exit code.

    The system takes back the memory of a process at once. Python would give back value by value, which is a twentieth of the
    time of a large review. Where somebody watches the run, or a thread still works, it ends as Python ends.
    """
    gc.set_threshold(*_RARELY)
    end_after_this()
    code = _with_room(main)()
    threading = sys.modules.get("threading")
    if (
        (threading is not None and threading.active_count() > 1)
        or sys.getprofile() is not None
        or sys.gettrace() is not None
    ):
        sys.exit(code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _with_room(run: Callable[[], int]) -> Callable[[], int]:
    """The same function, so that all that it calls finds room in one block of memory.

    Python asks the system for 16 KB more whenever a call does not fit, and gives them back when it returns: where a run goes to
    and fro over such an edge, as imports within imports do, that is a thousand times. A call that needs a large block gets it.
    """

    def roomy() -> int:
        return run()

    roomy.__code__ = roomy.__code__.replace(co_stacksize=_ROOM)
    return roomy
