"""Compares what tells the elements of a list apart."""

from __future__ import annotations

from apigen.compat.changes.change import Altered
from apigen.compat.context import Context
from apigen.compat.inclusion.result import INCLUDED, NotProven
from apigen.compat.rules.constraints.compared import Compared, compared
from apigen.compat.surface.constraints import Keyword


def uniqueness_compared(change: Altered, context: Context) -> Compared:
    """Elements that differ in some fields differ in more; of other fields nothing is known."""
    before, after = change.before, change.after
    if change.keyword is not Keyword.UNIQUE_BY or not isinstance(before, tuple) or not isinstance(after, tuple):
        return compared(change, context)
    old, new = {str(name) for name in before}, {str(name) for name in after}
    doubt = NotProven(f"whether elements that differ in {_names(old)} differ in {_names(new)}")
    reverse = NotProven(f"whether elements that differ in {_names(new)} differ in {_names(old)}")
    return Compared(INCLUDED if old <= new else doubt, INCLUDED if new <= old else reverse)


def _names(names: set[str]) -> str:
    return " and ".join(sorted(names))
