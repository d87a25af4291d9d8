"""Decode and encode the values of fields in JSON trees, for generated code, which handles the cheapest cases inline.

Decoders take the decoded value and its path, if that is known, and raise DecodeError. null is decoded as the zero value, as
for an element of a list in Go; generated code handles fields for which null has another meaning.

Encoders take the value of an attribute, element or map entry, and return its value in the tree. They raise
EncodeError, without a path, for values that could not be read back; `checking` finds their paths.
"""

from __future__ import annotations

import binascii
from functools import cache
from itertools import count

from .errors import ApiError, DecodeError, joined, not_utf8, unfit, wrong_type
from .field_paths import ROOT, FieldPath
from .json_source import LongInt, RawFloat, source_of
from .quantity import Quantity, parse_json_quantity
from .raw import FieldsV1, RawExtension
from .times import Duration, MicroTime, Time, micro_time_of, time_of

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping
    from typing import TypeAlias, TypeVar

    _T = TypeVar("_T")

    Decode: TypeAlias = "Callable[[object, str, UnknownMembers | None], _T]"
    """A generated function, which reads the members of its type in order into an object that has none of them yet. An error
    in one is raised without its path, which callers add, so that valid documents pay nothing for it."""


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
    return _decoded_integer(value, path, -(2**31), 2**31 - 1)


def decode_int64(value: object, path: str = "") -> int:
    """Return an integer of 64 bits."""
    if type(value) is int and -0x8000000000000000 <= value <= 0x7FFFFFFFFFFFFFFF:
        return value
    return _decoded_integer(value, path, -(2**63), 2**63 - 1)


def decode_uint32(value: object, path: str = "") -> int:
    """Return an unsigned integer of 32 bits."""
    return _decoded_integer(value, path, 0, 2**32 - 1)


def decode_uint64(value: object, path: str = "") -> int:
    """Return an unsigned integer of 64 bits."""
    return _decoded_integer(value, path, 0, 2**64 - 1)


def _decoded_integer(value: object, path: str, low: int, high: int) -> int:
    if value is None:
        return 0
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type(path, "an integer", value)
    if not low <= value <= high:
        raise wrong_type(path, f"an integer from {low} to {high}", value)
    return int(value)


def decode_float64(value: object, path: str = "") -> float:
    """Return a float of 64 bits; a number that exceeds them is an error, not infinity.

    A tree that was encoded, and not parsed, may hold a JsonNumber.
    """
    if value is None:
        return 0.0
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        from .json_numbers import JsonNumber

        if not isinstance(value, JsonNumber):
            raise wrong_type(path, "a number", value)
        value = float(value.text)
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
            _decoded_integer(element, f"{path}[{index}]", 0, 255)
            for index, element in enumerate(value)
        )
    if not isinstance(value, str):
        raise wrong_type(path, "bytes in base64", value)
    text = value.replace("\r", "").replace("\n", "")
    if not _base64().fullmatch(text):
        raise wrong_type(path, "bytes in base64", value)
    return binascii.a2b_base64(text)


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
    return _encoded_integer(value, -0x80000000, 0x7FFFFFFF)


def encode_int64(value: object) -> int:
    """Return an integer of 64 bits."""
    if type(value) is int and -0x8000000000000000 <= value <= 0x7FFFFFFFFFFFFFFF:
        return value
    return _encoded_integer(value, -0x8000000000000000, 0x7FFFFFFFFFFFFFFF)


def encode_uint32(value: object) -> int:
    """Return an unsigned integer of 32 bits."""
    return _encoded_integer(value, 0, 0xFFFFFFFF)


def encode_uint64(value: object) -> int:
    """Return an unsigned integer of 64 bits."""
    return _encoded_integer(value, 0, 0xFFFFFFFFFFFFFFFF)


def _encoded_integer(value: object, low: int, high: int) -> int:
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


MAX_UNKNOWN = 100
"""Maximum number of unknown members that are reported: Kubernetes' limit."""


class UnknownMembers:
    """Collects members that a type does not have, while a tree is read; `paths` returns their paths."""

    def __init__(self) -> None:
        self._found: list[tuple[dict[str, object], list[str]]] = []
        self._maps: list[dict[str, object]] = []

    def note(self, data: dict[str, object], members: Mapping[str, str]) -> None:
        """Take down the members of an object that are not among `members`, in their order."""
        names = [name for name in data if name not in members]
        if names:
            self._found.append((data, names))

    def note_map(self, data: dict[str, object]) -> None:
        """Record that the members of an object are entries of a map, with paths such as `labels[app]`."""
        self._maps.append(data)

    def paths(self, tree: object, path: str = "") -> list[str]:
        """Return the paths of the members found in the tree at `path`; the first 100."""
        if not self._found:
            return []
        places = _places(tree, {id(data) for data in self._maps})
        found: list[str] = []
        for data, names in self._found:
            at = places[id(data)]
            # an object behind YAML aliases is read several times
            place = joined(path, str(at.pop() if len(at) > 1 else at[0]))
            found += [joined(place, name) for name in names[:MAX_UNKNOWN]]
            if len(found) >= MAX_UNKNOWN:
                break
        return found[:MAX_UNKNOWN]


def decode_items(
    value: object, decode: Decode[_T], unknown: UnknownMembers | None, path: str = ""
) -> list[_T]:
    """Return a list of values that a generated function reads; an empty one for null."""
    source = value if type(value) is list else decode_list(value, path)
    items: list[_T] = []
    try:
        for item in source:
            items.append(decode(item, "", unknown))  # noqa: PERF401
    except DecodeError as error:
        raise _below(error, f"{path}[{len(items)}]") from None
    return items


def decode_values(
    value: object, decode: Decode[_T], unknown: UnknownMembers | None, path: str = ""
) -> dict[str, _T]:
    """Return a map with values that a generated function reads; an empty one for null."""
    values: dict[str, _T] = {}
    key = ""
    source = value if type(value) is dict else decode_object(value, path)
    if unknown is not None:
        unknown.note_map(source)
    try:
        for key, item in source.items():
            values[key] = decode(item, "", unknown)
    except DecodeError as error:
        raise _below(error, f"{path}[{key}]") from None
    return values


def decode_scalars(
    value: object, decode: Callable[[object], _T], path: str = ""
) -> list[_T]:
    """Return a list of values that a function of the runtime reads; an empty one for null."""
    source = value if type(value) is list else decode_list(value, path)
    items: list[_T] = []
    try:
        for item in source:
            items.append(decode(item))  # noqa: PERF401
    except DecodeError as error:
        raise _below(error, f"{path}[{len(items)}]") from None
    return items


def decode_scalar_map(
    value: object, decode: Callable[[object], _T], path: str = ""
) -> dict[str, _T]:
    """Return a map with values that a function of the runtime reads; an empty one for null."""
    values: dict[str, _T] = {}
    key = ""
    source = value if type(value) is dict else decode_object(value, path)
    try:
        for key, item in source.items():
            values[key] = decode(item)
    except DecodeError as error:
        raise _below(error, f"{path}[{key}]") from None
    return values


def decode_strings(value: object, path: str = "") -> list[str]:
    """Return the list of strings; null as an empty one."""
    if type(value) is list:
        for item in value:
            if type(item) is not str:
                break
        else:
            return value.copy()
    return decode_scalars(value, decode_string, path)


def decode_string_map(value: object, path: str = "") -> dict[str, str]:
    """Return the map to strings; null as an empty one."""
    if type(value) is dict:
        for item in value.values():
            if type(item) is not str:
                break
        else:
            return value.copy()
    return decode_scalar_map(value, decode_string, path)


def located(
    error: DecodeError, path: str, obj: object, members: Mapping[str, str]
) -> DecodeError:
    """Return the error of the object at `path`, which was met in the first of `members` that `obj` does not have yet.

    `members` are its attributes by their JSON names, in the order in which they are read.
    """
    name = next(n for n, attribute in members.items() if not hasattr(obj, attribute))
    return _below(error, joined(path, name))


def _below(error: DecodeError, path: str) -> DecodeError:
    found = DecodeError(joined(path, error.path), error.problem)
    found.of_text = error.of_text
    return found


def _places(tree: object, maps: set[int]) -> dict[int, list[FieldPath]]:
    """The places of every object in the tree by its `id`, the last one first.

    Without recursion, as nesting may be hostile, and without paths, which are much longer than a tree that is deep.
    """
    places: dict[int, list[FieldPath]] = {}
    waiting: list[tuple[object, FieldPath]] = [(tree, ROOT)]
    while waiting:
        value, place = waiting.pop()
        if isinstance(value, dict):
            places.setdefault(id(value), []).append(place)
            is_map = id(value) in maps
            items = [
                (item, place.key(key) if is_map else place.child(key))
                for key, item in value.items()
            ]
        elif isinstance(value, list):
            items = [(item, place.index(index)) for index, item in enumerate(value)]
        else:
            continue
        waiting += reversed(items)
    for found in places.values():
        found.reverse()
    return places
