"""Pause Python's garbage collector while a large tree is built: it would take most of the time without freeing
anything.
"""

from __future__ import annotations

import gc
from _thread import allocate_lock  # importing `threading` takes longer
from collections.abc import Iterator
from contextlib import contextmanager

_lock = allocate_lock()
_pauses = 0
_was_enabled = False


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the collector for the whole process. May be nested and used by several threads; the last one out resumes.

    Reference counting continues. If the collector was disabled before, it stays disabled.
    """
    global _pauses, _was_enabled
    with _lock:
        if _pauses == 0:
            _was_enabled = gc.isenabled()
            gc.disable()
        _pauses += 1
    try:
        yield
    finally:
        with _lock:
            _pauses -= 1
            if _pauses == 0 and _was_enabled:
                gc.enable()
