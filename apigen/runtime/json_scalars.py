"""Decoders from JSON values to the types of fields that generated code does not handle inline.

All take the decoded value and its path, if that is known, and raise DecodeError. null is decoded as the zero value, as
for an element of a list in Go; generated code handles fields for which null has another meaning.
"""

from __future__ import annotations

from functools import cache
from itertools import count

from .durations import Duration
from .errors import ApiError, DecodeError, wrong_type
from .json_source import LongInt, RawFloat, source_of
from .quantity import Quantity, parse_json_quantity
from .raw import FieldsV1, RawExtension
from .times import MicroTime, Time

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import TypeVar

    _T = TypeVar("_T")

texts_missed = count()
"""Moves on when raw JSON, or a Quantity of a float, is read of a value that does not know how it was written."""

_MAX_BITS = 14_000  # Python does not print integers of more than 4300 digits
_A_TIME = "a time in a string"
_INFINITE = float("inf")


@cache
def _base64() -> re.Pattern[str]:
    """Return the pattern of bytes in text; compiled on first use, so that importing is fast."""
    import re

    return re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


@cache
def _decode_base64() -> Callable[[str], bytes]:
    """Return the function that decodes base64; its module is imported on first use."""
    from binascii import a2b_base64

    return a2b_base64


def decode_string(value: object, path: str = "") -> str:
    """Return the string."""
    if type(value) is str:
        return value
    if isinstance(value, str):
        return str(value)
    if value is None:
        return ""
    raise wrong_type(path, "a string", value)


def decode_bool(value: object, path: str = "") -> bool:
    """Return the boolean."""
    if value is True or value is False:
        return value
    if value is None:
        return False
    raise wrong_type(path, "a boolean", value)


def decode_int32(value: object, path: str = "") -> int:
    """Return an integer of 32 bits. `1.0` and `1e2` are not integers, as in Go."""
    if type(value) is int and -0x80000000 <= value <= 0x7FFFFFFF:
        return value
    return _integer(value, path, -(2**31), 2**31 - 1)


def decode_int64(value: object, path: str = "") -> int:
    """Return an integer of 64 bits."""
    if type(value) is int and -0x8000000000000000 <= value <= 0x7FFFFFFFFFFFFFFF:
        return value
    return _integer(value, path, -(2**63), 2**63 - 1)


def decode_uint32(value: object, path: str = "") -> int:
    """Return an unsigned integer of 32 bits."""
    return _integer(value, path, 0, 2**32 - 1)


def decode_uint64(value: object, path: str = "") -> int:
    """Return an unsigned integer of 64 bits."""
    return _integer(value, path, 0, 2**64 - 1)


def _integer(value: object, path: str, low: int, high: int) -> int:
    if value is None:
        return 0
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type(path, "an integer", value)
    if not low <= value <= high:
        raise wrong_type(path, f"an integer from {low} to {high}", value)
    return int(value)


def decode_float64(value: object, path: str = "") -> float:
    """Return a float of 64 bits; a number that exceeds them is an error, not infinity."""
    if value is None:
        return 0.0
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise wrong_type(path, "a number", value)
    try:
        number = float(value)
    except OverflowError:
        number = _INFINITE
    if not _is_finite(number):
        raise wrong_type(path, "a number that 64 bits can hold", value)
    return number


def decode_float32(value: object, path: str = "") -> float:
    """Return a float, rounded to 32 bits; a number that exceeds them is an error."""
    from .json_numbers import to_float32

    number = to_float32(decode_float64(value, path))
    if not _is_finite(number):
        raise wrong_type(path, "a number that 32 bits can hold", value)
    return number


def _is_finite(number: float) -> bool:
    return number - number == 0  # `math` is not imported for this alone


def decode_bytes(value: object, path: str = "") -> bytes | None:
    """Return the bytes of standard base64 with padding (line breaks do not count) or of a list of small integers."""
    if value is None:
        return None
    if isinstance(value, list):
        return bytes(
            _byte(element, f"{path}[{index}]") for index, element in enumerate(value)
        )
    if not isinstance(value, str):
        raise wrong_type(path, "bytes in base64", value)
    text = value.replace("\r", "").replace("\n", "")
    if not _base64().fullmatch(text):
        raise wrong_type(path, "bytes in base64", value)
    return _decode_base64()(text)


def _byte(value: object, path: str = "") -> int:
    return _integer(value, path, 0, 255)


def decode_time(value: object, path: str = "") -> Time | None:
    """Return the point in time; None for null and for Go's zero time."""
    if type(value) is str:
        try:
            return Time.parse(value)
        except ValueError as error:
            raise _rejected(path, error) from None
    return None if value is None else _parsed(Time.parse, value, path, _A_TIME)


def decode_micro_time(value: object, path: str = "") -> MicroTime | None:
    """Return the point in time; None for null and for Go's zero time."""
    return None if value is None else _parsed(MicroTime.parse, value, path, _A_TIME)


def decode_duration(value: object, path: str = "") -> Duration:
    """Return the span of time. Unlike in the other decoders, null is an error, as in Kubernetes."""
    return _parsed(Duration.parse, value, path, "a duration in a string")


def decode_quantity(value: object, path: str = "") -> Quantity:
    """Return the quantity of a string, of which spaces around do not count, or of a number."""
    if type(value) is str:
        try:
            return parse_json_quantity(value)
        except ValueError as error:
            raise _rejected(path, error) from None
    if value is None:
        return Quantity()
    text = _quantity_text(value, path)
    return _parsed(parse_json_quantity, text, path, "a quantity")


def _parsed(parse: Callable[[str], _T], value: object, path: str, expected: str) -> _T:
    if not isinstance(value, str):
        raise wrong_type(path, expected, value)
    try:
        return parse(value)
    except ValueError as error:
        raise _rejected(path, error) from None


def _rejected(path: str, error: ValueError) -> DecodeError:
    """Return the error for a string whose text does not have the form of its type."""
    rejected = DecodeError(path, str(error))
    rejected.of_text = True
    return rejected


def _quantity_text(value: object, path: str = "") -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (RawFloat, LongInt)):
        return str(value)
    if isinstance(value, float) and _is_finite(value):
        from .json_numbers import float64_text

        next(texts_missed)
        return float64_text(value)
    if (
        isinstance(value, int)
        and not isinstance(value, bool)
        and value.bit_length() <= _MAX_BITS
    ):
        return str(int(value))
    raise wrong_type(path, "a quantity", value)


def decode_int_or_string(value: object, path: str = "") -> int | str:
    """Return the integer of 32 bits, or the string."""
    if type(value) is int:
        return decode_int32(value, path)
    if isinstance(value, str):
        return str(value)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise wrong_type(path, "an integer or a string", value)
    return decode_int32(value, path)


def decode_raw_extension(value: object, path: str = "") -> RawExtension | None:
    """Return the text of the value: its source if that is known, else its JSON."""
    return None if value is None else RawExtension(_source(value, path))


def decode_fields_v1(value: object, path: str = "") -> FieldsV1 | None:
    """Return the text of the value: its source if that is known, else its JSON."""
    return None if value is None else FieldsV1(_source(value, path))


def _source(value: object, path: str = "") -> bytes:
    from .json_writer import json_bytes

    try:
        source = source_of(value)
        if source is not None:
            return source
        next(texts_missed)
        return json_bytes(value)
    except ApiError as error:
        raise DecodeError(path, error.problem) from None
    except ValueError as error:
        raise DecodeError(path, str(error)) from None


def decode_object(value: object, path: str = "") -> dict[str, object]:
    """Return the object as a dict; null as an empty one."""
    if isinstance(value, dict):
        return value
    if value is None:
        return {}
    raise wrong_type(path, "an object", value)


def decode_list(value: object, path: str = "") -> list[object]:
    """Return the list; null as an empty one."""
    if isinstance(value, list):
        return value
    if value is None:
        return []
    raise wrong_type(path, "a list", value)
