"""The types that JSON Schema tells apart."""

from __future__ import annotations

from apigen.compat.verdict.example import JsonValue

TYPES = ("null", "boolean", "number", "string", "array", "object")


def type_of(value: JsonValue) -> str:
    """The name of the type of a value; of whole numbers `number`."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"
