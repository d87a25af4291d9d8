"""Write the fields of protobuf messages: functions that generated `protobuf_codec` modules share.

Messages are built as strings with a character for each byte (`CHARACTERS`), because f-strings are the fastest way in
Python; `encode_...` converts the result to bytes. A field is its tag (the encoded number and wire
type) and its value; text, bytes and messages are preceded by their length, from `SIZES`. Values out of the range of
their type raise EncodeError.
"""

from __future__ import annotations

from .errors import EncodeError, not_utf8, unfit
from .wire import CHARACTERS, MAX_DEPTH, SIZES, encode_float32, encode_float64


def check_nesting(depth: int) -> None:
    """Raise EncodeError for a type that is nested in itself deeper than decoders follow."""
    if depth > MAX_DEPTH:
        raise EncodeError("", f"nested more than {MAX_DEPTH} times")


def integer(value: int) -> int:
    """The plain integer of an object of a subclass, as members of enums are; a boolean is not an integer."""
    if isinstance(value, int) and not isinstance(value, bool):
        return int.__int__(value)
    raise unfit("an integer", value)


def boolean(value: object) -> str:
    """Raise EncodeError; called for a value that is neither True nor False."""
    raise unfit("a boolean", value)


def utf8(text: str) -> str:
    """The UTF-8 of text, which cannot have half of a surrogate pair."""
    if not isinstance(text, str):
        raise unfit("a string", text)
    if text.isascii():
        return text
    try:
        return text.encode().decode(CHARACTERS)
    except UnicodeEncodeError as error:
        raise not_utf8(error) from None


def raw_or_none(value: bytes | None) -> str:
    """Return the bytes of an element of a list; empty for None."""
    return "" if value is None else raw(value)


def raw(value: bytes) -> str:
    """Return the bytes."""
    if isinstance(value, bytes):
        return str(value, CHARACTERS)
    raise unfit("bytes", value)


def float32(value: float) -> str:
    """A floating-point number of 32 bits."""
    return encode_float32(_float(value)).decode(CHARACTERS)


def float64(value: float) -> str:
    """A floating-point number of 64 bits."""
    return encode_float64(_float(value)).decode(CHARACTERS)


def _float(value: float) -> float:
    if type(value) is float:
        return value
    from .json_numbers import float_of

    return float_of(value)


def map_entry(tag: str, key: str, value: str) -> str:
    """Return an entry of a map; `value` is a field with number 2, or empty."""
    key = key if str.isascii(key) else utf8(key)
    entry = f"\x0a{SIZES[len(key)]}{key}{value}"
    return f"{tag}{SIZES[len(entry)]}{entry}"


def text_map_entry(tag: str, key: str, value: str) -> str:
    """An entry of a map from text to text."""
    key = key if str.isascii(key) else utf8(key)
    value = value if str.isascii(value) else utf8(value)
    entry = f"\x0a{SIZES[len(key)]}{key}\x12{SIZES[len(value)]}{value}"
    return f"{tag}{SIZES[len(entry)]}{entry}"


def delimited(tag: str, body: str) -> str:
    """A field of bytes."""
    return f"{tag}{SIZES[len(body)]}{body}"
