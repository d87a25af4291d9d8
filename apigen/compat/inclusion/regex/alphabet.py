"""Characters that no pattern tells apart, as one letter."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.compat.inclusion.regex.characters import ANY, WORDS, CharacterSet, contains
from apigen.compat.inclusion.regex.machine import kind
from apigen.compat.inclusion.regex.undecidable import Undecidable
from apigen.compat.inclusion.regex.work import Budget

_MOST_LETTERS = 3_000
_LOOKS = 8
"""Looks for a character in a set, which take as long as one at a state of a machine."""
_NICE = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./:,;=+!?@#%&*()[]{}<>|~^$'\"` \\é\n\t"


class Letter:
    """Characters of one kind: the one that stands for them, what it is to the places beside it, and its bytes in UTF-8."""

    __slots__ = ("character", "code", "kind", "size")

    def __init__(self, code: int) -> None:
        self.code = code
        self.character = chr(code)
        self.kind = kind(code)
        self.size = len(self.character.encode("utf-8"))


def letters(sets: Iterable[CharacterSet], budget: Budget, *, by_size: bool) -> tuple[Letter, ...]:
    """The letters that sets of characters make, those that are good to read first. `by_size`: bytes tell them apart, too.

    Raises Undecidable where there are too many, or too many sets.
    """
    distinct = list(dict.fromkeys((*sets, WORDS)))
    bounds = {0x80, 0x800, 0x10000} if by_size else set()
    for ranges in (*distinct, ANY):
        for low, high in ranges:
            bounds.update((low, high + 1))
    if len(bounds) > _MOST_LETTERS:
        raise Undecidable("the patterns tell too many characters apart")
    starts = sorted(bound for bound in bounds if contains(ANY, bound))
    budget.spend(len(distinct) * len(starts) // _LOOKS)
    found: dict[tuple[object, ...], int] = {}
    nice = (ord(each) for each in _NICE)
    for code in (*nice, *starts):
        signature: tuple[object, ...] = tuple(contains(ranges, code) for ranges in distinct)
        found.setdefault((signature, len(chr(code).encode("utf-8")) if by_size else 0), code)
    return tuple(Letter(code) for code in found.values())
