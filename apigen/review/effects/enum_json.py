"""JSON values of enums."""

from __future__ import annotations

import json

from apigen.review.json_values import JsonValue
from apigen.review.surface import Enum, Scalar, Scalars


def in_json(value: str, enum: Enum | None) -> JsonValue:
    """Return the JSON of a value; if the enum is not one of strings, the text is parsed as JSON."""
    if enum is None or enum.base == Scalar(Scalars.STRING):
        return value
    try:
        read: JsonValue = json.loads(value)
    except ValueError:
        return value
    return read
