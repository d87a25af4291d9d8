"""Progress of a long run on the terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from apigen.cli.terminal import is_quiet

PATIENCE = 1.0
"""Seconds before a run shows progress."""

_CLEAR_LINE = "\r\x1b[K"


class Progress:
    """A line on a terminal with the step of a run; not printed without a terminal, or at the start of a run."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._started = time.monotonic()
        self._enabled = stream.isatty() and not is_quiet()
        self._shown = False

    def __call__(self, step: str) -> None:
        """The run begins with a step."""
        if self._enabled and time.monotonic() - self._started >= PATIENCE:
            self._stream.write(f"{_CLEAR_LINE}{step} …")
            self._stream.flush()
            self._shown = True

    def clear(self) -> None:
        """Leave the terminal as it was."""
        if self._shown:
            self._stream.write(_CLEAR_LINE)
            self._stream.flush()
            self._shown = False


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """Show progress on stderr, which is cleared at the end."""
    progress = Progress(sys.stderr)
    try:
        yield progress
    finally:
        progress.clear()
