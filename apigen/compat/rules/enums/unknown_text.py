"""A text that is no value of an enum."""

from __future__ import annotations

from itertools import count

from apigen.compat.changes.change import Part
from apigen.compat.surface.types import Enum


def unknown_text(*enums: Part) -> str:
    """One that none of them knows."""
    known = {value for enum in enums if isinstance(enum, Enum) for value in enum.values}
    if "Other" not in known:
        return "Other"
    return next(text for number in count(2) if (text := f"Other{number}") not in known)
