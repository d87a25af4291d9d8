"""The stages before validation: unknown fields are pruned, null is dropped, defaults are filled in. Objects are changed in place.

The source is `pkg/apiserver/schema/pruning` and `defaulting` of k8s.io/apiextensions-apiserver.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import Final

    from .nodes import Node

MOST_DEPTH: Final = 100
"""Maximum nesting of an object; a deeper one is rejected before it is evaluated."""

_OBJECT_FIELDS: Final = frozenset({"apiVersion", "kind", "metadata"})


def is_deeper(value: object, levels: int = MOST_DEPTH) -> bool:
    """Return whether a value has more than this many levels of objects and lists."""
    if not isinstance(value, (dict, list)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(is_deeper(each, levels - 1) for each in inner)


def copied(value: object) -> object:
    """Return a deep copy of a JSON value, in a fifth of the time of `copy.deepcopy`."""
    if isinstance(value, dict):
        return {name: copied(each) for name, each in value.items()}
    return [copied(each) for each in value] if isinstance(value, list) else value


def prune(node: Node | None, value: object, *, keeps: bool = False) -> None:
    """Drop the fields that no schema describes. `keeps`: an outer schema preserves those of this value."""
    keeps = keeps or (node is not None and node.preserves)
    if isinstance(value, list):
        items = None if node is None else node.items
        for each in value:
            if isinstance(each, (dict, list)):
                prune(items, each, keeps=keeps)
    elif isinstance(value, dict):
        for name, each in list(value.items()):
            if node is not None and node.is_embedded and name in _OBJECT_FIELDS:
                continue
            inner = None if node is None else node.member(name)
            if inner is not None or (node is not None and node.keeps_others):
                if isinstance(each, (dict, list)):
                    prune(inner, each)
            elif not keeps:
                del value[name]


def drop_nulls(node: Node, value: object) -> None:
    """Drop each field whose value is null and whose schema has neither `nullable` nor a default."""
    dropped = []
    for name, each, inner in node.described(value):
        if isinstance(each, (dict, list)):
            drop_nulls(inner, each)
        elif each is None and not inner.nullable and inner.default is None:
            dropped.append(name)
    if isinstance(value, dict):
        for name in dropped:
            del value[name]


def fill_defaults(node: Node, value: object) -> None:
    """Set fields that are unset to their defaults, and null that is not allowed; then the same in all values."""
    if not node.has_defaults:
        return
    if isinstance(value, dict):
        for field, given in node.defaults:
            if field not in value:
                value[field] = copied(given)
    for name, each, inner in list(node.described(value)):
        if each is None and not inner.nullable:
            each = copied(inner.default)
            value[name] = each  # type: ignore[index]
        if isinstance(each, (dict, list)):
            fill_defaults(inner, each)
