"""Restrictions as sets, so that two values of a keyword can be compared."""

from __future__ import annotations

from apigen.review.changes.change import Value


def restrictions(value: Value) -> frozenset[str]:
    """Return the entries of a list, or `on` for `true`."""
    if isinstance(value, tuple):
        return frozenset(str(each) for each in value)
    return frozenset(("on",)) if value is True else frozenset()
