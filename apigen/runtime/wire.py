"""Primitives of protobuf's wire format, as Kubernetes' own (gogo) code reads them, and Kubernetes' envelope around
messages: four magic bytes, then the message `runtime.Unknown`.

Readers take a buffer and a position and return the value and the position behind it. They never read past the end:
truncated, too long and invalid data is a DecodeError without a path, which the caller adds.
"""

from __future__ import annotations

from functools import cache, partial

from .dataclasses import dataclass
from .errors import DecodeError, EncodeError

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Iterator
    from struct import Struct
    from typing import Final


VARINT: Final = 0
FIXED64: Final = 1
LENGTH: Final = 2
FIXED32: Final = 5
"""Wire types. Groups (3 and 4) are not supported: no message of Kubernetes has one."""
CHARACTERS: Final = "latin-1"
"""Encoding of bytes as text, a character for each: Python puts text together faster than bytes."""
MAX_DEPTH: Final = 100
"""Maximum nesting of a recursive type; the same as in protobuf's own libraries."""
_MASK64: Final = 2**64 - 1
_MAX_VARINT: Final = 10
_ONE_BYTE: Final = 0x80


@cache
def _floats(form: str) -> Struct:
    """Return the encoder of floats of 32 (`<f`) or 64 bits (`<d`); loaded on first use, because few messages have any."""
    from struct import Struct

    return Struct(form)


def encode_varint(number: int) -> bytes:
    """Return the varint of an integer; a negative one as its 64 bits of two's complement, in ten bytes.

    Raises EncodeError for an integer that neither int64 nor uint64 can hold.
    """
    if not -(2**63) <= number <= _MASK64:
        raise EncodeError("", f"{number} does not fit into 64 bits")
    number &= _MASK64
    varint = bytearray()
    while number > 0x7F:
        varint.append(number & 0x7F | 0x80)
        number >>= 7
    varint.append(number)
    return bytes(varint)


class Varints(dict[int, str]):
    """The varints of the integers from `low` to `high`, a character for each byte; created on demand; short ones are cached.

    Asking for another integer raises EncodeError.
    """

    def __init__(self, low: int, high: int) -> None:
        super().__init__((number, chr(number)) for number in range(_ONE_BYTE))
        self._low = low
        self._high = high

    def __missing__(self, number: int) -> str:
        if not self._low <= number <= self._high:
            raise EncodeError(
                "", f"{number} is not an integer from {self._low} to {self._high}"
            )
        varint = encode_varint(number).decode(CHARACTERS)
        if len(varint) == 2:  # as lengths of messages often are
            self[number] = varint
        return varint


INT32: Final = Varints(-(2**31), 2**31 - 1)
INT64: Final = Varints(-(2**63), 2**63 - 1)
UINT32: Final = Varints(0, 2**32 - 1)
UINT64: Final = Varints(0, _MASK64)
SIZES: Final = UINT64
"""Lengths of encoded values, which precede them."""


def encode_float32(number: float) -> bytes:
    """Return the four bytes of a float. Raises EncodeError if it is finite and 32 bits cannot hold it."""
    try:
        return _floats("<f").pack(number)
    except OverflowError:
        raise EncodeError("", f"{number} does not fit into a float32") from None


def encode_float64(number: float) -> bytes:
    """Return the eight bytes of a float."""
    return _floats("<d").pack(number)


def encode_text(text: str) -> bytes:
    """Return the UTF-8 of a string. Bytes that `decode_text` could not read are restored.

    Raises EncodeError for any other half of a surrogate pair, which UTF-8 does not have.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise EncodeError(
            "", f"a string that UTF-8 cannot hold: {error.reason}"
        ) from None


def delimited(body: bytes) -> bytes:
    """Return the bytes with their length before them."""
    return encode_varint(len(body)) + body


def read_varint(buf: bytes, pos: int) -> tuple[int, int]:
    """Return the unsigned integer at `pos` (its low 64 bits, as in gogo) and the position behind it."""
    number = shift = 0
    for byte in buf[pos : pos + _MAX_VARINT]:
        pos += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number & _MASK64, pos
        shift += 7
    raise DecodeError(
        "",
        "a varint is longer than ten bytes" if shift == 7 * _MAX_VARINT else _TRUNCATED,
    )


def read_delimited(buf: bytes, pos: int) -> tuple[bytes, int]:
    """Return the bytes of a field with wire type LENGTH and the position behind them."""
    size, pos = read_varint(buf, pos)
    end = pos + size
    if end > len(buf):
        raise DecodeError("", _TRUNCATED)
    return buf[pos:end], end


def skip_field(buf: bytes, pos: int, wire_type: int) -> int:
    """Return the position after the value of an unknown field. `pos` is the position after its tag."""
    if wire_type == VARINT:
        return read_varint(buf, pos)[1]
    if wire_type == LENGTH:
        size, pos = read_varint(buf, pos)
        pos += size
    elif wire_type == FIXED64:
        pos += 8
    elif wire_type == FIXED32:
        pos += 4
    else:
        raise DecodeError("", f"wire type {wire_type} is not supported")
    if pos > len(buf):
        raise DecodeError("", _TRUNCATED)
    return pos


def skip_unknown(buf: bytes, pos: int, tag: int, known: frozenset[int]) -> int:
    """Skip the field with `tag` (number and wire type), which matched no field of a message with the numbers `known`.

    Raises DecodeError where Kubernetes' code does: a number that is known came with the wrong wire type; number 0.
    """
    number = tag >> 3 & 0xFFFFFFFF
    if number in known:
        raise DecodeError("", f"field {number} has the wrong wire type {tag & 7}")
    if not 0 < number < 2**31:
        raise DecodeError("", f"{number} is not a field number")
    return skip_field(buf, pos, tag & 7)


def known_fields(
    data: bytes, path: str, tags: frozenset[int]
) -> Iterator[tuple[int, int | bytes]]:
    """Yield tag and value of the fields of a message with these tags, each of a varint or of bytes; skip the others.

    Raises DecodeError if one has another wire type.
    """
    pos = 0
    try:
        while pos < len(data):
            tag, pos = read_varint(data, pos)
            if tag not in tags:
                pos = skip_unknown(
                    data, pos, tag, frozenset(known >> 3 for known in tags)
                )
            elif tag & 7 == VARINT:
                number, pos = read_varint(data, pos)
                yield tag, number
            else:
                body, pos = read_delimited(data, pos)
                yield tag, body
    except DecodeError as error:
        raise DecodeError(path, error.problem) from None


def to_int32(number: int) -> int:
    """Return the low 32 bits of a varint as a signed integer."""
    return (number + 0x80000000 & 0xFFFFFFFF) - 0x80000000


def to_int64(number: int) -> int:
    """Return the 64 bits of a varint as a signed integer."""
    return number - 2**64 if number >= 2**63 else number


def to_uint32(number: int) -> int:
    """Return the low 32 bits of a varint."""
    return number & 0xFFFFFFFF


def _read_float(form: str, body: bytes) -> float:
    """Return the float of four or eight bytes."""
    struct = _floats(form)
    if len(body) != struct.size:
        raise DecodeError("", _TRUNCATED)
    number: float = struct.unpack(body)[0]
    return number


to_float32 = partial(_read_float, "<f")
to_float64 = partial(_read_float, "<d")


def decode_text(body: bytes) -> str:
    """Return the string of UTF-8.

    Go does not check a protobuf string: it keeps invalid bytes, writes them back, and shows U+FFFD for each in JSON.
    So does this: such a byte becomes a lone surrogate ("surrogateescape"), which `encode_text` and the JSON writer know.
    """
    return body.decode("utf-8", "surrogateescape")


_TRUNCATED: Final = "the message ends too early"


MAGIC = b"k8s\0"
_TYPE_META = frozenset(number << 3 | LENGTH for number in (1, 2))
_UNKNOWN = frozenset(number << 3 | LENGTH for number in (1, 2, 3, 4))
"""The tags of the fields of both messages."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """The `apiVersion` and `kind` of the envelope, and the encoded object in `raw`."""

    api_version: str
    kind: str
    raw: bytes
    content_encoding: str = ""
    content_type: str = ""


def wrap(api_version: str, kind: str, raw: bytes) -> bytes:
    """Return the envelope of a message. All fields are written, though empty. Raises EncodeError."""
    type_meta = (
        b"\x0a"
        + delimited(encode_text(api_version))
        + b"\x12"
        + delimited(encode_text(kind))
    )
    return b"".join(
        (
            MAGIC,
            b"\x0a",
            delimited(type_meta),
            b"\x12",
            delimited(raw),
            b"\x1a\x00\x22\x00",
        )
    )


def unwrap(data: bytes) -> Envelope:
    """Return the contents of the envelope; missing fields are empty. Raises DecodeError."""
    if not data.startswith(MAGIC):
        raise DecodeError(
            "", "not Kubernetes' protobuf: it starts with the bytes 6b 38 73 00"
        )
    if len(data) == len(MAGIC):
        raise DecodeError("", "the envelope is empty")
    parts = _read(data[len(MAGIC) :], _UNKNOWN)
    type_meta = _read(parts.get(1, b""), _TYPE_META)
    return Envelope(
        api_version=decode_text(type_meta.get(1, b"")),
        kind=decode_text(type_meta.get(2, b"")),
        raw=parts.get(2, b""),
        content_encoding=decode_text(parts.get(3, b"")),
        content_type=decode_text(parts.get(4, b"")),
    )


def _read(message: bytes, tags: frozenset[int]) -> dict[int, bytes]:
    """Return the fields of a message that only has bytes and strings, by number; the last of each counts."""
    try:
        fields = known_fields(message, "", tags)
        return {tag >> 3: body for tag, body in fields if isinstance(body, bytes)}
    except DecodeError as error:
        raise DecodeError("", f"envelope: {error.problem}") from None
