"""Writes the fields of protobuf messages: what generated `protobuf_codec` modules share.

Each function returns a whole field; `tag` is its number and wire type as they stand on the wire. Values that their
type cannot hold raise EncodeError.
"""

from __future__ import annotations

from .errors import EncodeError
from .wire import (
    VARINTS,
    encode_float32,
    encode_float64,
    encode_int32,
    encode_int64,
    encode_uint32,
    encode_uint64,
    encode_varint,
)

_KEY, _VALUE = b"\x0a", b"\x12"
_SHORT = len(VARINTS)


def field(tag: bytes, body: bytes) -> bytes:
    """A field of bytes: a message, or raw ones."""
    size = len(body)
    return tag + (VARINTS[size] if size < _SHORT else encode_varint(size)) + body


def text_field(tag: bytes, value: str) -> bytes:
    """A field of text, which cannot have half of a surrogate pair."""
    try:
        body = value.encode()
    except UnicodeEncodeError as error:
        raise EncodeError(
            "", f"text that cannot be UTF-8: {error.reason} at character {error.start}"
        ) from None
    size = len(body)
    return tag + (VARINTS[size] if size < _SHORT else encode_varint(size)) + body


def map_entry(tag: bytes, key: str, value: bytes) -> bytes:
    """An entry of a map; `value` is a field with number 2, or nothing."""
    return field(tag, text_field(_KEY, key) + value)


def text_map_entry(tag: bytes, key: str, value: str) -> bytes:
    """An entry of a map from text to text."""
    return field(tag, text_field(_KEY, key) + text_field(_VALUE, value))


def int32_field(tag: bytes, value: int) -> bytes:
    """A signed number of 32 bits; a negative one has ten bytes."""
    return tag + (VARINTS[value] if 0 <= value < _SHORT else encode_int32(value))


def int64_field(tag: bytes, value: int) -> bytes:
    """A signed number of 64 bits; a negative one has ten bytes."""
    return tag + (VARINTS[value] if 0 <= value < _SHORT else encode_int64(value))


def uint32_field(tag: bytes, value: int) -> bytes:
    """A number of 32 bits without sign."""
    return tag + encode_uint32(value)


def uint64_field(tag: bytes, value: int) -> bytes:
    """A number of 64 bits without sign."""
    return tag + encode_uint64(value)


def float32_field(tag: bytes, value: float) -> bytes:
    """A floating-point number of 32 bits."""
    return tag + encode_float32(value)


def float64_field(tag: bytes, value: float) -> bytes:
    """A floating-point number of 64 bits."""
    return tag + encode_float64(value)
