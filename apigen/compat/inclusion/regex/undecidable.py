"""What cannot be decided."""

from __future__ import annotations


class Undecidable(Exception):
    """A pattern that is not understood, or a question that takes too long. Its text goes on from "not proven: "."""
