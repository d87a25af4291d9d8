"""Kubernetes' envelope around protobuf: four magic bytes, then the message `runtime.Unknown`."""

from __future__ import annotations

from .dataclasses import dataclass
from .errors import DecodeError
from .wire import (
    LENGTH,
    decode_text,
    delimited,
    encode_text,
    known_fields,
)

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import Final

MAGIC: Final = b"k8s\0"

_TYPE_META: Final = frozenset(number << 3 | LENGTH for number in (1, 2))
_UNKNOWN: Final = frozenset(number << 3 | LENGTH for number in (1, 2, 3, 4))
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
