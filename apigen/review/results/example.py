"""Values that a rule suggests for the search for a counterexample."""

from __future__ import annotations

from enum import StrEnum

from apigen.dataclass import dataclass

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]

TYPES = ("null", "boolean", "number", "string", "array", "object")
"""The types of JSON Schema."""


def type_of(value: JsonValue) -> str:
    """Return the name of the type of a value; `number` for integers."""
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


class Side(StrEnum):
    """One side of the comparison."""

    OLD = "old"
    NEW = "new"


class Missing:
    """No value: the field is omitted."""

    def __repr__(self) -> str:
        return "ABSENT"

    def __reduce__(self) -> str:
        return "ABSENT"  # unpickled as the only instance


ABSENT = Missing()


@dataclass(frozen=True, slots=True)
class Example:
    """A value at the element of the change, in an object that `written_by` accepts and the other side does not treat alike.

    `beside` are values of other fields of the same struct. The rest of the object is generated from the schema. If the
    element is a struct, `value` is the whole struct.
    """

    written_by: Side
    value: JsonValue | Missing
    beside: tuple[tuple[str, JsonValue], ...] = ()
