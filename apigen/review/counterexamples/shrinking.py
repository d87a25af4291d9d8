"""Reduces JSON values that show something to smaller ones that still show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apigen.language.json_values import JsonValue

_MOST = 150
"""Maximum number of smaller objects that are tried."""

_MOST_ITEMS = 8
"""Items of a list that are dropped and made smaller one by one."""

_KEPT = frozenset({"apiVersion", "kind"})


def shrunk(value: JsonValue, shows: Callable[[JsonValue], bool], place: tuple[str | int, ...] = ()) -> JsonValue:
    """Return the object without the parts that are not needed to show the finding; only parts inside `place` are dropped."""
    tried = 0
    progress = True
    while progress and tried < _MOST:
        progress = False
        for smaller in _smaller_at(value, place):
            tried += 1
            if shows(smaller):
                value, progress = smaller, True
                break
            if tried >= _MOST:
                break
    return value


def _smaller_at(value: JsonValue, place: tuple[str | int, ...], is_root: bool = True) -> Iterator[JsonValue]:
    """Yield the value without one of the parts inside a place."""
    if not place:
        yield from _smaller(value, is_root)
        return
    step, rest = place[0], place[1:]
    if isinstance(value, dict) and isinstance(step, str) and step in value:
        yield from ({**value, step: each} for each in _smaller_at(value[step], rest, False))
    elif isinstance(value, list) and isinstance(step, int) and step < len(value):
        inner = _smaller_at(value[step], rest, False)
        yield from ([*value[:step], each, *value[step + 1 :]] for each in inner)


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
