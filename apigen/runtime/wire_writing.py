"""Writes the fields of protobuf messages: what generated `protobuf_codec` modules share.

A field is its tag (number and wire type as they stand on the wire) and its value; before bytes stands their length,
from `SIZES`. A generated function collects those of its message and joins them at the end. Values that their type
cannot hold raise EncodeError.
"""

from __future__ import annotations

from .errors import EncodeError
from .wire import SIZES


def not_utf8(error: UnicodeEncodeError) -> EncodeError:
    """Return the EncodeError for text with half of a surrogate pair, which UTF-8 does not have."""
    return EncodeError(
        "", f"text that cannot be UTF-8: {error.reason} at character {error.start}"
    )


def map_entry(tag: bytes, key: str, value: bytes) -> bytes:
    """An entry of a map; `value` is a field with number 2, or nothing. Raises UnicodeEncodeError."""
    text = key.encode()
    size = SIZES[len(text)]
    whole = SIZES[1 + len(size) + len(text) + len(value)]
    return b"".join((tag, whole, b"\x0a", size, text, value))


def text_map_entry(tag: bytes, key: str, value: str) -> bytes:
    """An entry of a map from text to text. Raises UnicodeEncodeError."""
    text = value.encode()
    return map_entry(tag, key, b"\x12" + SIZES[len(text)] + text)
