"""Writes the fields of protobuf messages: what generated `protobuf_codec` modules share.

Messages are put together as text with a character for each byte (`CHARACTERS`), because f-strings are the fastest that
Python has for it; `encode_...` makes bytes of the whole. A field is its tag (number and wire type as they stand on the
wire) and its value; before text, bytes and messages stands their length, from `SIZES`. Values that their type cannot
hold raise EncodeError.
"""

from __future__ import annotations

from .errors import EncodeError
from .wire import CHARACTERS, SIZES, encode_float32, encode_float64


def utf8(text: str) -> str:
    """The UTF-8 of text, which cannot have half of a surrogate pair."""
    if text.isascii():
        return text
    try:
        return text.encode().decode(CHARACTERS)
    except UnicodeEncodeError as error:
        raise EncodeError(
            "", f"text that cannot be UTF-8: {error.reason} at character {error.start}"
        ) from None


def raw(value: bytes | None) -> str:
    """Bytes as they are; none for None."""
    return str(value, CHARACTERS) if value else ""


def float32(value: float) -> str:
    """A floating-point number of 32 bits."""
    return encode_float32(value).decode(CHARACTERS)


def float64(value: float) -> str:
    """A floating-point number of 64 bits."""
    return encode_float64(value).decode(CHARACTERS)


def map_entry(tag: str, key: str, value: str) -> str:
    """An entry of a map; `value` is a field with number 2, or nothing."""
    key = key if key.isascii() else utf8(key)
    entry = f"\x0a{SIZES[len(key)]}{key}{value}"
    return f"{tag}{SIZES[len(entry)]}{entry}"


def text_map_entry(tag: str, key: str, value: str) -> str:
    """An entry of a map from text to text."""
    key = key if key.isascii() else utf8(key)
    value = value if value.isascii() else utf8(value)
    entry = f"\x0a{SIZES[len(key)]}{key}\x12{SIZES[len(value)]}{value}"
    return f"{tag}{SIZES[len(entry)]}{entry}"


def delimited(tag: str, body: str) -> str:
    """A field of bytes."""
    return f"{tag}{SIZES[len(body)]}{body}"
