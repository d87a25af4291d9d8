"""Tells on standard error what is going on, so that standard output holds the tables alone."""

from __future__ import annotations

import sys


def tell(text: str) -> None:
    """Write a line."""
    print(text, file=sys.stderr, flush=True)
