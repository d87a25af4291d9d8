"""JSON values, and the names of their types."""

from __future__ import annotations

import json

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
