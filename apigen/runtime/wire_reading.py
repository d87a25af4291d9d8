"""Read protobuf messages, for generated `protobuf_codec` modules.

A generated function makes one pass as long as there are fields, and reads those that are in the order of their
numbers, as all usual writers produce. It does not check for the end of the message before each byte: a truncated
message raises an IndexError. Errors are raised without a path, which `located` adds, so that valid messages need no time
for it.
"""

from __future__ import annotations

from collections.abc import Mapping

from .errors import DecodeError, joined
from .wire import (
    FIXED32,
    FIXED64,
    LENGTH,
    MAX_DEPTH,
    VARINT,
    encode_varint,
    read_varint,
    skip_field,
    to_float32,
    to_float64,
)

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final, Protocol, TypeAlias

    class TextMap(Protocol):
        """A map from text to text, of enum values too."""

        def __setitem__(self, key: str, value: str, /) -> None: ...


_START_GROUP, _END_GROUP = 3, 4
_WIRE_TYPES: Final = (
    "a varint",
    "64 bits",
    "bytes",
    "a group",
    "the end of a group",
    "32 bits",
)
_HIGHEST_TAG: Final = 2**32 - 1
_TRUNCATED: Final = "the message ends too early"


class WireError(ValueError):
    """Raised for bytes that are not a valid message. `tag` is the tag of the invalid field, or 0."""

    def __init__(self, tag: int, problem: str) -> None:
        super().__init__(problem)
        self.tag = tag


WIRE_ERRORS: Final = (WireError, DecodeError, UnicodeDecodeError, IndexError)
"""The errors that reading the fields of a message may raise."""

Names: TypeAlias = Mapping[int, str | tuple[str, str]]
"""The fields of a message by number: their names in paths; for lists also the attribute ("": `obj` itself)."""


def read_fields(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield tag, number and bytes of each field: the number is that of a varint, anything else is bytes.

    A tag is `number << 3 | wire type`. Raises WireError.
    """
    pos, end = 0, len(data)
    while pos < end:
        tag, number, pos = read_head(data, pos)
        body = b""
        if tag & 7:
            body = data[pos : pos + number]
            pos += number
            if pos > end:
                raise WireError(tag, _TRUNCATED)
        yield tag, number, body


def read_head(data: bytes, pos: int) -> tuple[int, int, int]:
    """Return the tag of a field, its number and the position behind both.

    The number is the value of a varint; of anything else it is how many bytes follow. Raises WireError.
    """
    if pos + 1 < len(data):
        tag, number = data[pos], data[pos + 1]
        if tag < 0x80 and number < 0x80 and tag & 7 in (VARINT, LENGTH):
            return tag, number, pos + 2
    tag, pos = _read_tag(data, pos)
    wire_type = tag & 7
    try:
        if wire_type in (VARINT, LENGTH):
            number, pos = read_varint(data, pos)
        elif wire_type == _START_GROUP:
            number = _end_of_group(data, pos, tag) - pos
        else:
            number = skip_field(data, pos, wire_type) - pos
    except DecodeError as error:
        raise WireError(tag, error.problem) from None
    return tag, number, pos


def skip_unknown(data: bytes, pos: int, names: Names) -> tuple[bytes, int, int]:
    """Skip fields that a message does not have. Returns the data, the position to continue at, and the end.

    The field may also be a known one whose tag has more bytes than it needs. Kubernetes' decoder accepts such tags,
    although no encoder writes them; so the returned data has short tags from there on. Raises WireError for a field of
    another wire type.
    """
    tag, size, behind = read_head(data, pos)
    if tag >> 3 in names and not data.startswith(encode_varint(tag), pos):
        data = _with_short_tags(data, pos)
        return data, 0, len(data)
    _reject(tag, names)
    behind += size if tag & 7 else 0
    end = len(data)
    return data, _behind_short_fields(data, behind, end + 1, names), end


def _behind_short_fields(data: bytes, pos: int, until: int, names: Names) -> int:
    """The position behind the short fields from `pos` on that are not in `names` and end before `until`.

    Short are tags of two bytes, and numbers and sizes of one. Without this loop, a message of unknown fields takes fifteen
    times as long as one of fields that it has.
    """
    last = len(data) - 1
    while pos < last:
        tag, value = data[pos], pos + 1
        if tag >= 0x80:
            second, value = data[value], pos + 2
            if not 0 < second < 0x80 or value > last:
                break
            tag = tag & 0x7F | second << 7
        if tag < 8 or data[value] >= 0x80 or tag >> 3 in names:
            break
        if tag & 7 == VARINT:
            behind = value + 1
        elif tag & 7 == LENGTH:
            behind = value + 1 + data[value]
        else:
            break
        if behind >= until:
            break
        pos = behind
    return pos


def _with_short_tags(data: bytes, pos: int) -> bytes:
    """Return the fields from `pos` on with the shortest tags, as far as they can be parsed, then the rest."""
    parts: list[bytes] = []
    try:
        while pos < len(data):
            tag, size, behind = read_head(data, pos)
            behind += size if tag & 7 else 0
            parts += (encode_varint(tag), data[_read_tag(data, pos)[1] : behind])
            pos = behind
    except WireError:
        pass  # the decoder reaches it there, and reports its path
    return b"".join((*parts, data[pos:]))


def located(
    error: WireError | DecodeError | UnicodeDecodeError | IndexError,
    path: str,
    data: bytes,
    pos: int,
    names: Names,
    obj: object,
) -> DecodeError:
    """Return the DecodeError for an error in the message at `path`, which was read into `obj` up to `pos`.

    It reads the message again to find an error in its structure (an IndexError only means that it is truncated), or
    else the field with the error.
    """
    tag = 0
    try:
        tag = _tag_at(data, pos)
    except WireError as wire_error:
        error = wire_error
    if isinstance(error, WireError):
        return DecodeError(joined(path, _name(error.tag, names)), str(error))
    place = joined(path, _place(tag, names, obj))
    if isinstance(error, DecodeError):
        return DecodeError(joined(place, error.path), error.problem)
    if isinstance(error, UnicodeDecodeError):
        return DecodeError(place, _not_utf8(error))
    return DecodeError(place, _TRUNCATED)


def check_depth(depth: int, path: str) -> None:
    """Raise DecodeError when a type is nested in itself too often."""
    if depth > MAX_DEPTH:
        raise DecodeError(path, f"nested more than {MAX_DEPTH} times")


def add_text_entry(entries: TextMap, body: bytes) -> None:
    """Add an entry to a map from text to text; a later one of the same key wins."""
    middle = _end_of_short_key(body)
    if middle:
        key, value = body[2:middle].decode(), body[middle + 2 :]
    else:
        key, _, value = _key_and_value(body, LENGTH)
    try:
        entries[key] = value.decode()
    except UnicodeDecodeError as error:
        raise DecodeError(f"[{key}]", _not_utf8(error)) from None


def read_entry(body: bytes) -> tuple[str, bytes]:
    """Read an entry of a map whose values are bytes on the wire. Missing parts are empty."""
    middle = _end_of_short_key(body)
    if middle:
        return body[2:middle].decode(), body[middle + 2 :]
    key, _, value = _key_and_value(body, LENGTH)
    return key, value


def _end_of_short_key(body: bytes) -> int:
    """Return the position after the key, if an entry has the usual form of a key and a value; else 0."""
    end = len(body)
    if 3 < end < 0x84 and body[0] == _KEY:
        middle = body[1] + 2
        if (
            middle + 1 < end
            and body[middle] == _VALUE
            and middle + 2 + body[middle + 1] == end
        ):
            return middle
    return 0


def read_number_entry(body: bytes) -> tuple[str, int]:
    """Read an entry of a map whose values are varints on the wire. Missing parts are 0 or empty."""
    key, number, _ = _key_and_value(body, VARINT)
    return key, number


def read_fixed_entry(body: bytes, size: int) -> tuple[str, bytes]:
    """Read an entry of a map whose values are 4 or 8 bytes on the wire. Missing parts are 0 or empty."""
    key, _, value = _key_and_value(body, FIXED64 if size == 8 else FIXED32)
    return key, value or bytes(size)


def read_float32s(body: bytes) -> list[float]:
    """Read the elements of a packed list of floats of 32 bits."""
    return [to_float32(body[pos : pos + 4]) for pos in range(0, len(body), 4)]


def read_float64s(body: bytes) -> list[float]:
    """Read the elements of a packed list of floats of 64 bits."""
    return [to_float64(body[pos : pos + 8]) for pos in range(0, len(body), 8)]


def read_varints(body: bytes) -> Iterator[int]:
    """Yield the elements of a packed list of varints."""
    pos, end = 0, len(body)
    while pos < end:
        number, pos = read_varint(body, pos)
        yield number


_KEY: Final = 1 << 3 | LENGTH
_VALUE: Final = 2 << 3 | LENGTH
_ENTRY_NAMES: Final = {1: "key", 2: "value"}


def _key_and_value(body: bytes, wire_type: int) -> tuple[str, int, bytes]:
    key, number, value = b"", 0, b""
    value_tag = 2 << 3 | wire_type
    try:
        for tag, a_number, part in read_fields(body):
            if tag == 1 << 3 | LENGTH:
                key = part
            elif tag == value_tag:
                number, value = a_number, part
            else:
                _reject(tag, _ENTRY_NAMES)
    except WireError as error:
        raise DecodeError("", _in_entry(error)) from None
    return key.decode(), number, value


def _reject(tag: int, names: Names) -> None:
    """Raise WireError for a field of `names` with the wrong wire type, and for an invalid field number."""
    number = tag >> 3
    if number in names:
        raise WireError(tag, f"cannot be {_WIRE_TYPES[tag & 7]} on the wire")
    if number == 0:
        raise WireError(0, "field number 0")


def _in_entry(error: WireError) -> str:
    name = _ENTRY_NAMES.get(error.tag >> 3)
    return f"{error} (the {name} of an entry)" if name else f"{error} (in an entry)"


def _tag_at(data: bytes, pos: int) -> int:
    """Return the tag of the first field that ends at `pos` or later; 0 without one. Raises WireError."""
    behind, end = _behind_short_fields(data, 0, pos, {}), len(data)
    while behind < end:
        tag, number, behind = read_head(data, behind)
        if tag & 7:
            behind += number
        if behind > end:
            raise WireError(tag, _TRUNCATED)
        if behind >= pos:
            return tag
        behind = _behind_short_fields(data, behind, pos, {})
    return 0


def _name(tag: int, names: Names) -> str:
    name = names.get(tag >> 3, "")
    return name if isinstance(name, str) else name[0]


def _place(tag: int, names: Names, obj: object) -> str:
    """The name of the field with `tag`; in a list with the index of the element that was read last."""
    name = names.get(tag >> 3, "")
    if isinstance(name, str):
        return name
    items: object = getattr(obj, name[1]) if name[1] else obj
    return f"{name[0]}[{len(items) if isinstance(items, list) else 0}]"


def _not_utf8(error: UnicodeDecodeError) -> str:
    return f"text that is not UTF-8 ({error.reason} at byte {error.start})"


def _read_tag(data: bytes, pos: int) -> tuple[int, int]:
    try:
        tag, pos = read_varint(data, pos)
    except DecodeError as error:
        raise WireError(0, error.problem) from None
    if tag > _HIGHEST_TAG:
        raise WireError(0, "has a field number that is out of range")
    return tag, pos


def _end_of_group(data: bytes, pos: int, tag: int) -> int:
    """Return the position after a group with any content: no message of ours has one, but others may."""
    open_groups = [tag >> 3]
    while open_groups:
        tag, pos = _read_tag(data, pos)
        if tag & 7 == _START_GROUP:
            open_groups.append(tag >> 3)
        elif tag & 7 != _END_GROUP:
            pos = skip_field(data, pos, tag & 7)
        elif open_groups.pop() != tag >> 3:
            raise DecodeError("", "a group ends that did not start")
    return pos
