"""Compares what tells the elements of a list apart."""

from __future__ import annotations

from apigen.compat.changes.change import Altered
from apigen.compat.context import Context
from apigen.compat.inclusion.keywords import satisfies
from apigen.compat.inclusion.result import INCLUDED, Inclusion, NotProven
from apigen.compat.rules.constraints.compared import Compared, compared
from apigen.compat.rules.once_per_change import once_per_change
from apigen.compat.surface.constraints import Keyword
from apigen.compat.surface.resolving import unfolded
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Slot

_TOLD_APART = frozenset({"set", "map"})


@once_per_change
def uniqueness_compared(change: Altered, context: Context) -> Compared:
    """Elements that differ in some fields differ in more; of other fields nothing is known."""
    before, after = change.before, change.after
    if change.keyword is Keyword.UNIQUE_ITEMS and False in (before, after):
        return _switched(change, context)
    if change.keyword is not Keyword.UNIQUE_BY or not isinstance(before, tuple) or not isinstance(after, tuple):
        return compared(change, context)
    old, new = {str(name) for name in before}, {str(name) for name in after}
    doubt = NotProven(f"whether elements that differ in {_names(old)} differ in {_names(new)}")
    reverse = NotProven(f"whether elements that differ in {_names(new)} differ in {_names(old)}")
    return Compared(INCLUDED if old <= new else doubt, INCLUDED if new <= old else reverse)


def _switched(change: Altered, context: Context) -> Compared:
    """`uniqueItems: false` means something in a list whose elements are told apart: nobody looks whether they repeat."""
    old, new = change.old, change.new
    assert isinstance(old, Slot) and isinstance(new, Slot)
    was, is_ = _must_differ(old, context.old), _must_differ(new, context.new)
    return Compared(
        _with_differing(old, context.old) if is_ and not was else INCLUDED,
        _with_differing(new, context.new) if was and not is_ else INCLUDED,
    )


def _with_differing(slot: Slot, surface: Surface) -> Inclusion:
    return satisfies(slot, surface, ((Keyword.UNIQUE_ITEMS, True),))


def _must_differ(slot: Slot, surface: Surface) -> bool:
    """Whether a list with an element twice is refused."""
    said = slot.constraints.get(Keyword.UNIQUE_ITEMS)
    if said is not None:
        return said.value is True
    return unfolded(surface, slot).merge.list_type in _TOLD_APART


def _names(names: set[str]) -> str:
    return " and ".join(sorted(names))
