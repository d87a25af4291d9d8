"""How wide the terminal is."""

from __future__ import annotations

import os
import sys

_USUAL = 80


def columns() -> int:
    """Its columns, or what the environment says; 80 where nobody looks."""
    if "COLUMNS" not in os.environ and (sys.__stdout__ is None or not sys.__stdout__.isatty()):
        return _USUAL
    from shutil import get_terminal_size

    return get_terminal_size().columns
