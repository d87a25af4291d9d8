"""Compare two APIs in everything that affects generated code; locations and docs are ignored."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import fields, is_dataclass

from apigen.ir.model import Api
from apigen.language.model import Located

_WORDS = frozenset({"place", "doc", "ignore", "text"})
"""Attributes with locations, and attributes that only affect docstrings."""

_ATTRIBUTES: dict[type, tuple[str, ...]] = {}


def differing(one: Api, other: Api, groups: Collection[str]) -> Iterator[str]:
    """Yield the names of the groups and types that differ between two APIs, in some groups (by folder)."""
    for folder in sorted(groups):
        own_group, other_group = ({group.folder: group for group in api.groups}.get(folder) for api in (one, other))
        if not is_same(own_group, other_group):
            yield folder
    mine_types, their_types = ([id_ for id_ in api.types if id_.group in groups] for api in (one, other))
    yield from (str(id_) for id_ in mine_types if not is_same(one.types[id_], other.types.get(id_)))
    yield from (str(id_) for id_ in their_types if id_ not in one.types)


def is_same(one: object, other: object) -> bool:
    """Return whether two values of the IR are equal, apart from their locations and docs."""
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, Located) and isinstance(other, Located):
        return is_same(one.value, other.value)
    names = _attributes(type(one))
    if not names:
        return one == other
    return all(is_same(getattr(one, name), getattr(other, name)) for name in names)


def _attributes(class_: type) -> tuple[str, ...]:
    if class_ not in _ATTRIBUTES:
        compared = (each.name for each in fields(class_) if each.compare) if is_dataclass(class_) else ()
        _ATTRIBUTES[class_] = tuple(name for name in compared if name not in _WORDS)
    return _ATTRIBUTES[class_]
