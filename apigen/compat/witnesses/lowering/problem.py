"""Why something cannot be lowered."""

from __future__ import annotations


class NotLoweredError(Exception):
    """A surface says something that specs cannot; the text says what."""
