"""Limits of the work for a proof."""

from __future__ import annotations


class TooMuchError(Exception):
    """A proof would take too long; nothing is proven."""


class Steps:
    """Counts the work done. `most`: the limit."""

    MOST = 20_000
    MOST_CLAUSES = 600
    DEEPEST = 40

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self.done = 0

    def take(self, count: int = 1) -> None:
        """Count some steps. Raises TooMuchError after the last one."""
        self.done += count
        if self.done > self._most:
            raise TooMuchError
