"""Semantic equality of objects, as Kubernetes' `equality.Semantic` has it."""

from __future__ import annotations

from dataclasses import fields
from functools import cache

from .raw import FieldsV1, RawExtension


def semantic_equal(a: object, b: object) -> bool:
    """Return whether two objects mean the same.

    None equals an empty list, dict, bytes or raw value, but not an empty string or zero. Quantities are compared by
    value, times as instants, `FieldsV1` by content and `RawExtension` by text. Objects of different classes differ, as
    do True and 1.
    """
    if a is b:
        return True
    if type(a) is not type(b):
        return (_is_empty(a) and _is_empty(b)) if a is None or b is None else _same_number(a, b)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(semantic_equal, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(semantic_equal(a[key], b[key]) for key in a)
    names = _field_names(type(a))
    if names is None or isinstance(a, (RawExtension, FieldsV1)):
        return a == b
    return all(semantic_equal(getattr(a, name), getattr(b, name)) for name in names)


def _is_empty(value: object) -> bool:
    if isinstance(value, (RawExtension, FieldsV1)):
        return not value.raw
    return value is None or isinstance(value, (list, dict, bytes)) and not value


def _same_number(a: object, b: object) -> bool:
    """A float field may hold an int in Python; a boolean is no number. Enums of str are equal to their text."""
    if isinstance(a, bool) or isinstance(b, bool):
        return False
    return a == b if isinstance(a, (int, float, str)) and isinstance(b, (int, float, str)) else False


@cache
def _field_names(cls: type) -> tuple[str, ...] | None:
    """Return the names of a dataclass's fields, None for other classes."""
    if not hasattr(cls, "__dataclass_fields__"):
        return None
    return tuple(field.name for field in fields(cls))
