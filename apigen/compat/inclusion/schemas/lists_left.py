"""Whether any list has all of some atoms."""

from __future__ import annotations

from collections.abc import Callable

from apigen.compat.inclusion.schemas.atoms import EVERYTHING, Clause, Formula, Items, Size, Unique

IsEmpty = Callable[[Formula], bool]


def is_no_list(clause: Clause, is_empty: IsEmpty) -> bool:
    """Whether it is certain that there is none."""
    items = [atom for atom in clause if isinstance(atom, Items)]
    some = [atom for atom in items if not atom.is_every]
    kinds = {atom.holds for atom in clause if isinstance(atom, Unique)}
    least = max((atom.least for atom in clause if isinstance(atom, Size)), default=0)
    if False in kinds:
        least = max(least, 2)
    least = max(least, *(each.start + 1 for each in some), 0)
    most = min((atom.most for atom in clause if isinstance(atom, Size) and atom.most is not None), default=None)
    starts = sorted({0, *(each.start for each in items), *(each.stop for each in items if each.stop is not None)})
    if kinds == {True, False} or (most is not None and most < least):
        return True
    within = [start for start in starts if most is None or start < most]

    def is_beyond(start: int) -> bool:
        """Whether no list has an item there, as none fits in one of the places up to it."""
        return any(is_empty(_at(each, items)) for each in within if each <= start)

    if any(is_empty(_at(start, items)) for start in within if start < least):
        return True
    return any(
        all(is_empty(_at(start, items) | each.formula) or is_beyond(start) for start in within if _covers(each, start))
        for each in some
    )


def _at(index: int, items: list[Items]) -> Formula:
    """What holds of an item; one that is asked for in a single place is the one there."""
    said = (each for each in items if each.is_every or each.stop == each.start + 1)
    return EVERYTHING.union(*(each.formula for each in said if _covers(each, index)))


def _covers(items: Items, index: int) -> bool:
    return items.start <= index and (items.stop is None or index < items.stop)
