"""Encode values of fields in JSON trees for generated code, and check that they can be decoded again.

A function takes the value of an attribute, element or map entry, and returns its value in the tree. It raises
EncodeError, without a path, for values that could not be read back; `checking` finds their paths. Generated code itself
checks strings and booleans, which is cheapest there.
"""

from __future__ import annotations

import binascii

from .durations import Duration
from .errors import not_utf8, unfit
from .quantity import Quantity
from .raw import FieldsV1, RawExtension
from .times import micro_time_of, time_of

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import TypeVar

    _T = TypeVar("_T")

__all__ = [
    "elements",
    "encode_bool",
    "encode_bytes",
    "encode_duration",
    "encode_fields_v1",
    "encode_int32",
    "encode_int64",
    "encode_int_or_string",
    "encode_micro_time",
    "encode_quantity",
    "encode_raw_extension",
    "encode_string",
    "encode_string_map",
    "encode_strings",
    "encode_time",
    "encode_uint32",
    "encode_uint64",
    "sorted_entries",
    "sorted_keys",
]


def encode_string(value: object) -> str:
    """Return a string, of a subclass (members of enums) the plain one. One that UTF-8 cannot hold is an error."""
    if not isinstance(value, str):
        raise unfit("a string", value)
    plain = str.__str__(value)
    if not plain.isascii():
        try:
            plain.encode()
        except UnicodeEncodeError as error:
            raise not_utf8(error) from None
    return plain


def encode_bool(value: object) -> bool:
    """Return a boolean."""
    if value is True or value is False:
        return value
    raise unfit("a boolean", value)


def encode_int32(value: object) -> int:
    """Return an integer of 32 bits."""
    if type(value) is int and -0x80000000 <= value <= 0x7FFFFFFF:
        return value
    return _integer(value, -0x80000000, 0x7FFFFFFF)


def encode_int64(value: object) -> int:
    """Return an integer of 64 bits."""
    if type(value) is int and -0x8000000000000000 <= value <= 0x7FFFFFFFFFFFFFFF:
        return value
    return _integer(value, -0x8000000000000000, 0x7FFFFFFFFFFFFFFF)


def encode_uint32(value: object) -> int:
    """Return an unsigned integer of 32 bits."""
    return _integer(value, 0, 0xFFFFFFFF)


def encode_uint64(value: object) -> int:
    """Return an unsigned integer of 64 bits."""
    return _integer(value, 0, 0xFFFFFFFFFFFFFFFF)


def _integer(value: object, low: int, high: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return int.__int__(value)
    raise unfit(f"an integer from {low} to {high}", value)


def encode_bytes(value: object) -> str:
    """Return the bytes in standard base64."""
    if not isinstance(value, bytes):
        raise unfit("bytes", value)
    return binascii.b2a_base64(value, newline=False).decode("ascii")


def encode_time(value: object) -> str:
    """Return the text of a Time, or of an aware `datetime`, whose fraction of a second is dropped."""
    return time_of(value).json_text()


def encode_micro_time(value: object) -> str:
    """Return the text of a MicroTime, or of an aware `datetime`."""
    return micro_time_of(value).json_text()


def encode_duration(value: object) -> str:
    """Return the text of a Duration that 64 bits can hold."""
    if type(value) is not Duration:
        raise unfit("a Duration", value)
    encode_int64(value.nanoseconds)
    return str(value)


def encode_quantity(value: object) -> str:
    """Return the text of a Quantity."""
    if type(value) is not Quantity:
        raise unfit("a Quantity", value)
    return value._text


def encode_int_or_string(value: object) -> int | str:
    """Return an integer of 32 bits or a string."""
    if type(value) is str:
        return value
    return encode_string(value) if isinstance(value, str) else encode_int32(value)


def encode_raw_extension(value: object) -> RawExtension:
    """Return the value, whose JSON is checked where the tree is written."""
    if type(value) is not RawExtension:
        raise unfit("a RawExtension", value)
    return value


def encode_fields_v1(value: object) -> FieldsV1:
    """Return the value, whose JSON is checked where the tree is written."""
    if type(value) is not FieldsV1:
        raise unfit("a FieldsV1", value)
    return value


def elements(values: list[_T]) -> list[_T]:
    """Return the list itself, if it is one."""
    if isinstance(values, list):
        return values
    raise unfit("a list", values)


def encode_strings(values: list[str]) -> list[object]:
    """Return a copy of a list of strings."""
    if type(values) is list:
        # raises TypeError for other types than strings
        "".join(values)
        return [*values]
    return [encode_string(value) for value in elements(values)]


def encode_string_map(values: dict[str, str]) -> dict[str, object]:
    """Return a copy of a map of strings in the order of its keys."""
    if type(values) is dict:
        # looking at each key takes half as long as sorting the few that most maps have
        before = ""
        for key, value in values.items():
            if key < before or type(value) is not str:
                break
            before = key
        else:
            return {**values}
    return {key: encode_string(values[key]) for key in sorted_keys(values)}


def sorted_keys(values: dict[str, _T]) -> list[str]:
    """Return the keys of a map in their order."""
    if type(values) is not dict and not isinstance(values, dict):
        raise unfit("a dict", values)
    keys = sorted(values)
    "".join(keys)
    return keys


def sorted_entries(values: dict[str, _T]) -> list[tuple[str, _T]]:
    """Return the entries of a map in the order of their keys."""
    return [(key, values[key]) for key in sorted_keys(values)]
