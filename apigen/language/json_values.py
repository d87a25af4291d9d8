"""JSON values, and the names of their types."""

from __future__ import annotations

import json
from typing import Any

Value = Any
"""A JSON value of a type that its schema defines."""

Steps = tuple[str | int, ...]
"""A place in an object: names of fields, keys, and indices."""

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]

TYPES = ("null", "boolean", "number", "string", "array", "object")
"""The types of JSON Schema."""


def canonical_json(value: object) -> str:
    """Return data as JSON in one line with sorted keys, so that equal values have equal texts.

    Raises TypeError for a value that JSON cannot represent.
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


_TYPES_OF_PYTHON = {type(None): "null", bool: "boolean", int: "number", float: "number", str: "string", list: "array"}


def type_of(value: JsonValue) -> str:
    """Return the name of the type of a value; `number` for integers."""
    return _TYPES_OF_PYTHON.get(type(value), "object")


def value_at(value: Value, steps: Steps) -> Value:
    """Return the value at a place; None without one."""
    for step in steps:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def with_value(value: Value, steps: Steps, new: Value) -> Value:
    """Return the object with another value at a place."""
    if not steps:
        return new
    step, rest = steps[0], steps[1:]
    if isinstance(value, list):
        return [with_value(each, rest, new) if index == step else each for index, each in enumerate(value)]
    copied = dict(value) if isinstance(value, dict) else {}
    copied[str(step)] = with_value(copied.get(str(step)), rest, new)
    return copied


def without(value: Value, steps: Steps) -> Value:
    """Return the object without a field, key or item."""
    step, rest = steps[0], steps[1:]
    if rest:
        inner = value_at(value, (step,))
        return value if inner is None else with_value(value, (step,), without(inner, rest))
    if isinstance(value, list):
        return [each for index, each in enumerate(value) if index != step]
    return {name: each for name, each in value.items() if name != step} if isinstance(value, dict) else value
