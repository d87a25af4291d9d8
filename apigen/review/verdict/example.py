"""What a rule knows of an object that shows its change."""

from __future__ import annotations

from enum import StrEnum

from apigen.dataclass import dataclass

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]

TYPES = ("null", "boolean", "number", "string", "array", "object")
"""The types that JSON Schema tells apart."""


def type_of(value: JsonValue) -> str:
    """The name of the type of a value; of integers `number`."""
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
    """No value: the member is omitted."""

    def __repr__(self) -> str:
        return "ABSENT"

    def __reduce__(self) -> str:
        return "ABSENT"  # there is one, wherever it was kept


ABSENT = Missing()


@dataclass(frozen=True, slots=True)
class Example:
    """A value at the element of the change, in an object that `written_by` accepts and the other side does not take as it is.

    `beside` are values of other members of the same struct. What is around it is made up from the schema. Where the
    element is a struct, `value` is the whole of it.
    """

    written_by: Side
    value: JsonValue | Missing
    beside: tuple[tuple[str, JsonValue], ...] = ()
