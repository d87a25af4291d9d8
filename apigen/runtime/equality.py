"""Semantic equality of objects, as Kubernetes' `equality.Semantic` has it."""

from __future__ import annotations

from collections.abc import Hashable

from .json_source import JsonText


def semantic_equal(a: object, b: object) -> bool:
    """Return whether two objects mean the same.

    None equals an empty list, dict, bytes or raw value, but not an empty string or zero. Quantities are compared by
    value, times as instants, `FieldsV1` by content and `RawExtension` by text. Objects of different classes differ, as
    do True and 1.
    """
    if a is b:
        return True
    if a is None or b is None:
        return _is_empty(a) and _is_empty(b)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(semantic_equal, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(semantic_equal(a[key], b[key]) for key in a)
    names = getattr(a, "__dataclass_fields__", None)
    if names is None or isinstance(a, JsonText):
        return isinstance(a, bool) == isinstance(b, bool) and a == b
    return type(a) is type(b) and all(
        semantic_equal(getattr(a, name), getattr(b, name)) for name in names
    )


def semantic_key(value: object) -> Hashable:
    """Return a key that is equal for semantically equal values, and differs for most others."""
    if _is_empty(value):
        return None
    if isinstance(value, list):
        return tuple(map(semantic_key, value))
    if isinstance(value, dict):
        return frozenset((key, semantic_key(item)) for key, item in value.items())
    names = getattr(value, "__dataclass_fields__", None)
    if names is None or isinstance(value, JsonText):
        return value if isinstance(value, Hashable) else type(value)
    return type(value), *(semantic_key(getattr(value, name)) for name in names)


def _is_empty(value: object) -> bool:
    if isinstance(value, JsonText):
        return not value.raw
    return value is None or (isinstance(value, (list, dict, bytes)) and not value)
