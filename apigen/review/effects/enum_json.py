"""Values of enums as objects have them."""

from __future__ import annotations

import json

from apigen.review.surface import Enum, Scalar, Scalars
from apigen.review.verdict.example import JsonValue


def in_json(value: str, enum: Enum | None) -> JsonValue:
    """A value as objects have it: of an enum that is not of text, what it reads as."""
    if enum is None or enum.base == Scalar(Scalars.STRING):
        return value
    try:
        read: JsonValue = json.loads(value)
    except ValueError:
        return value
    return read
