"""Results that several rules need, one after the other, for the same change."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, cast

from apigen.review.changes.change import Added, Altered, Removed
from apigen.review.context import Context

C = TypeVar("C", bound=Added | Removed | Altered)
R = TypeVar("R")


def once_per_change(find: Callable[[C, Context], R]) -> Callable[[C, Context], R]:
    """Make a function cache its latest result in the context."""

    @wraps(find)
    def found(change: C, context: Context) -> R:
        known = context.found_last.get(find)
        if known is None or known[0] is not change:
            known = context.found_last[find] = change, find(change, context)
        return cast(R, known[1])

    return found
