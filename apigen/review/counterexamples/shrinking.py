"""Makes JSON values smaller while they still show something."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apigen.review.verdict.example import JsonValue

_MOST = 150
"""Smaller objects that are tried."""

_KEPT = frozenset({"apiVersion", "kind"})


def shrunk(value: JsonValue, shows: Callable[[JsonValue], bool]) -> JsonValue:
    """The object without what it does not need to show what it shows."""
    tried = 0
    progress = True
    while progress and tried < _MOST:
        progress = False
        for smaller in _smaller(value):
            tried += 1
            if shows(smaller):
                value, progress = smaller, True
                break
            if tried >= _MOST:
                break
    return value


def _smaller(value: JsonValue, is_root: bool = True) -> Iterator[JsonValue]:
    """The value without one of its parts; large parts first."""
    if isinstance(value, dict):
        names = [name for name in value if not (is_root and name in _KEPT)]
        for name in names:
            yield {other: each for other, each in value.items() if other != name}
        for name in names:
            for inner in _smaller(value[name], False):
                yield {**value, name: inner}
    elif isinstance(value, list):
        for index in range(len(value)):
            yield [*value[:index], *value[index + 1 :]]
        for index, each in enumerate(value):
            for inner in _smaller(each, False):
                yield [*value[:index], inner, *value[index + 1 :]]
    elif isinstance(value, str) and len(value) > 8:
        yield value[: len(value) // 2]
