"""The one clock of generated code, and stopping it."""

from __future__ import annotations

from threading import Thread
from time import time

import pytest

from apigen.runtime import Time, clock_stopped, now

EARLY, LATE = Time(0), Time(253_402_300_799)


def test_now_is_the_current_second() -> None:
    before = int(time())
    assert Time(before) <= now() <= Time(int(time()))


def test_stopped_clock_returns_the_given_time() -> None:
    """1970 too, which is zero."""
    with clock_stopped(EARLY):
        assert now() == EARLY
        with clock_stopped(LATE):
            assert now() == LATE
        assert now() == EARLY
    assert now() > EARLY


def test_clock_resumes_after_an_error() -> None:
    with pytest.raises(KeyError), clock_stopped(EARLY):
        raise KeyError
    assert now() > EARLY


def test_other_threads_have_their_own_clock() -> None:
    seen: list[Time] = []
    with clock_stopped(EARLY):
        other = Thread(target=lambda: seen.append(now()))
        other.start()
        other.join()
    assert seen and seen[0] > EARLY
