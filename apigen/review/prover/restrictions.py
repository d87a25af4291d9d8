"""What keywords restrict, as sets."""

from __future__ import annotations

from apigen.review.changes.change import Value


def restrictions(value: Value) -> frozenset[str]:
    """The words of a list, or whether a flag is on."""
    if isinstance(value, tuple):
        return frozenset(str(each) for each in value)
    return frozenset(("on",)) if value is True else frozenset()
