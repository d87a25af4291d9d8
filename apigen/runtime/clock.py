"""The current time. All defaults that set a time call this module, so that a test can set the clock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import time

from .times import Time

_stopped: ContextVar[Time | None] = ContextVar("stopped", default=None)


def now() -> Time:
    """The current time, without its fraction of a second."""
    return _stopped.get() or Time(int(time()))


@contextmanager
def clock_stopped(at: Time) -> Iterator[None]:
    """Let `now` return this while the context lasts, in this thread or task only. Contexts may be nested."""
    token = _stopped.set(at)
    try:
        yield
    finally:
        _stopped.reset(token)
