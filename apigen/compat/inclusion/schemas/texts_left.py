"""Whether any text has all of some atoms."""

from __future__ import annotations

import json
from collections.abc import Iterator

from apigen.compat.inclusion.regex.undecidable import Undecidable
from apigen.compat.inclusion.result import Included, NotProven
from apigen.compat.inclusion.schemas.atoms import Clause, Matches, OneOf, Size
from apigen.compat.inclusion.text_inclusion import SAMPLES, texts_included
from apigen.compat.inclusion.texts import Texts
from apigen.dataclass import replace

_NONE = Texts(allowed=frozenset())
_MOST_VALUES = 500
_MOST_TOGETHER = 5


def is_no_text(clause: Clause, doubts: list[str]) -> bool:
    """Whether it is certain that there is none. Formats are known by name alone.

    What could not be decided of patterns, so that nobody knows, is added to `doubts`.
    """
    try:
        return _is_certain(clause, doubts)
    except Undecidable as reason:
        doubts.append(str(reason))
        return False


def _is_certain(clause: Clause, doubts: list[str]) -> bool:
    texts = _asked(clause)
    if texts.most is not None and texts.most < texts.least:
        return True
    denied = list(_denied(clause))
    if texts.allowed is not None and len(texts.allowed) <= _MOST_VALUES:
        return all(_is_none(replace(texts, allowed=frozenset({each})), denied, doubts) for each in texts.allowed)
    if texts.most == 0:
        return _is_none(replace(texts, allowed=frozenset({""})), denied, doubts)
    return _is_none(texts, denied, doubts)


def _is_none(texts: Texts, denied: list[Texts], doubts: list[str]) -> bool:
    """Whether there are no such texts, or all of them are texts of one of the others."""
    if texts.allowed is not None and all(map(texts.refuses, texts.allowed)):
        return True
    if texts.allowed is None and any(_is_left(each, texts, denied) for each in SAMPLES):
        return False
    if texts.allowed is None and _is_contradictory(texts, doubts):
        return True
    return any(_is_included(texts, each, doubts) for each in denied) or _is_in_one_of(texts, denied, doubts)


def _is_included(inner: Texts, outer: Texts, doubts: list[str]) -> bool:
    found = texts_included(inner, outer)
    if isinstance(found, NotProven):
        doubts.append(found.reason)
    return isinstance(found, Included)


def _is_in_one_of(texts: Texts, denied: list[Texts], doubts: list[str]) -> bool:
    """Whether several patterns leave no text between them: what has none of the others has the last."""
    patterns = sorted({pattern for each in denied for pattern in each.patterns})
    if not 1 < len(patterns) <= _MOST_TOGETHER:
        return False
    rest = replace(texts, without=tuple(patterns[:-1]))
    return _is_included(rest, Texts((patterns[-1],)), doubts)


def _is_left(text: str, texts: Texts, denied: list[Texts]) -> bool:
    """Whether a text is certainly one of some, and none of the others: to try a few is quicker than to look for one."""
    try:
        return not texts.refuses(text) and all(each.refuses(text) for each in denied)
    except Undecidable:
        return False


def _is_contradictory(texts: Texts, doubts: list[str]) -> bool:
    is_bound = texts.least or texts.most is not None or len(texts.patterns) > 1
    return bool(texts.patterns and is_bound) and _is_included(texts, _NONE, doubts)


def _asked(clause: Clause) -> Texts:
    patterns: list[str] = []
    least, most = 0, None
    allowed: frozenset[str] | None = None
    excluded: frozenset[str] = frozenset()
    for atom in clause:
        match atom:
            case Matches(pattern, True):
                patterns.append(pattern)
            case Size(low, high):
                least = max(least, low)
                most = high if most is None else most if high is None else min(most, high)
            case OneOf(values, True):
                allowed = _texts(values) if allowed is None else allowed & _texts(values)
            case OneOf(values, False):
                excluded |= _texts(values)
            case _:
                pass
    return Texts(tuple(sorted(set(patterns))), least, most, allowed=allowed, excluded=excluded)


def _denied(clause: Clause) -> Iterator[Texts]:
    """The sets of texts in which it must not be."""
    for atom in clause:
        match atom:
            case Matches(pattern, False):
                yield Texts((pattern,))
            case OneOf(values, False):
                yield Texts(allowed=_texts(values))
            case _:
                pass


def _texts(values: frozenset[str]) -> frozenset[str]:
    return frozenset(json.loads(each) for each in values)
