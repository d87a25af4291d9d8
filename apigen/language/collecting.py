"""Large values that a process keeps until it ends."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


class _Kept:
    """Values that are not freed before the process ends. Without `is_ending`, the process continues, and they are
    freed.
    """

    def __init__(self) -> None:
        self.is_ending = False
        self.values: list[object] = []


_KEPT = _Kept()


def end_after_this() -> None:
    """Declare that the process ends after its current work, so that its memory need not be freed in parts."""
    _KEPT.is_ending = True


def kept(value: T) -> T:
    """Keep a large value until the end of a process that is ending, because freeing its parts one by one takes time."""
    if _KEPT.is_ending:
        _KEPT.values.append(value)
    return value
