"""Classify the difference of two specs: only in documentation, also in bounds, or in more. Locations are ignored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from enum import IntEnum
from operator import attrgetter

from apigen.diagnostics import Place
from apigen.language.model import BOUNDS, Constraints

_WORDS = "doc"


class Difference(IntEnum):
    """The largest difference between two values of the spec model, the least first."""

    WORDS = 0
    """Only their documentation."""
    BOUNDS = 1
    """Which bounds (`spec.model.BOUNDS`) there are, and their values."""
    MORE = 2


def difference(one: object, other: object) -> Difference:
    """Return how far two values of the spec model differ."""
    if one is other:
        return Difference.WORDS
    if type(one) is not type(other):
        return Difference.MORE
    if isinstance(one, Place):
        return Difference.WORDS
    if isinstance(one, tuple) and isinstance(other, tuple):
        return _most(zip(one, other, strict=True)) if len(one) == len(other) else Difference.MORE
    parts = _PARTS[type(one)]
    if parts is None:
        return Difference.WORDS if repr(one) == repr(other) else Difference.MORE
    found = difference(parts(one), parts(other))
    if isinstance(one, Constraints) and isinstance(other, Constraints) and found < Difference.BOUNDS:
        return min(difference(_BOUNDS(one), _BOUNDS(other)), Difference.BOUNDS)
    return found


def _most(pairs: Iterable[tuple[object, object]]) -> Difference:
    most = Difference.WORDS
    for one, other in pairs:
        found = difference(one, other)
        if found > most:
            if found is Difference.MORE:
                return found
            most = found
    return most


class _Parts(dict[type, Callable[[object], tuple[object, ...]] | None]):
    """By class, a function that returns the values of a dataclass without documentation and bounds; None for other
    classes.
    """

    def __missing__(self, class_: type) -> Callable[[object], tuple[object, ...]] | None:
        aside = (_WORDS, *BOUNDS) if class_ is Constraints else (_WORDS,)
        names = [field.name for field in fields(class_) if field.name not in aside] if is_dataclass(class_) else []
        self[class_] = _getter(names) if names else None
        return self[class_]


def _getter(names: list[str]) -> Callable[[object], tuple[object, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: (getattr(value, names[0]),)


_PARTS = _Parts()
_BOUNDS: Callable[[Constraints], tuple[object, ...]] = attrgetter(*BOUNDS)
