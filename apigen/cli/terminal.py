"""The terminal: its width, its colors, the verbosity of the output, and the progress of a long run."""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

_USUAL = 80

_wishes = Namespace(color="auto", quiet=False)
"""The values of `--color` and `--quiet` in this run."""


def add_terminal(parser: ArgumentParser) -> None:
    """Add `--color` and `--quiet`, which every command has."""
    group = parser.add_argument_group("terminal")
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="color the output (default: auto, which means on a terminal without NO_COLOR)",
    )
    group.add_argument(
        "-q", "--quiet", action="store_true", help="print only errors and results, without progress and summary"
    )


def configure(args: Namespace) -> None:
    """Apply the options of a run to all later output."""
    _wishes.color, _wishes.quiet = getattr(args, "color", "auto"), getattr(args, "quiet", False)


def has_color(stream: TextIO) -> bool:
    """Return whether text for a stream is colored."""
    if _wishes.color == "auto":
        return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return bool(_wishes.color == "always")


def is_quiet() -> bool:
    """Return whether only errors and requested output are printed."""
    return bool(_wishes.quiet)


def tell(text: str, stream: TextIO | None = None) -> None:
    """Print a line that `--quiet` suppresses, by default on stdout."""
    if not is_quiet():
        print(text, file=stream or sys.stdout)


def columns() -> int:
    """Return the columns of the terminal, or those in the environment; 80 if the output is not a terminal."""
    if "COLUMNS" not in os.environ and (sys.__stdout__ is None or not sys.__stdout__.isatty()):
        return _USUAL
    from shutil import get_terminal_size

    return get_terminal_size().columns


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
        """Show a step that begins, unless the run is still short."""
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
