"""Reduces JSON values that show something to smaller ones that still show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apigen.review.json_values import JsonValue

_MOST = 150
"""Maximum number of smaller objects that are tried."""

_MOST_ITEMS = 8
"""Items of a list that are dropped and made smaller one by one."""

_KEPT = frozenset({"apiVersion", "kind"})


def shrunk(value: JsonValue, shows: Callable[[JsonValue], bool]) -> JsonValue:
    """Return the object without the parts that are not needed to show the finding."""
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
    """Yield the value without one of its parts; large parts first."""
    if isinstance(value, dict):
        names = [name for name in value if not (is_root and name in _KEPT)]
        for name in names:
            yield {other: each for other, each in value.items() if other != name}
        for name in names:
            for inner in _smaller(value[name], False):
                yield {**value, name: inner}
    elif isinstance(value, list):
        if len(value) > _MOST_ITEMS:  # of many items, one is as good as another
            yield from (value[: len(value) // 2], value[:-1])
        else:
            yield from ([*value[:index], *value[index + 1 :]] for index in range(len(value)))
        for index, each in enumerate(value[:_MOST_ITEMS]):
            for inner in _smaller(each, False):
                yield [*value[:index], inner, *value[index + 1 :]]
    elif isinstance(value, str) and len(value) > 8:
        yield value[: len(value) // 2]
