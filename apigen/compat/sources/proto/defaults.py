"""Defaults of fields, as JSON."""

from __future__ import annotations

import base64
import json
import math
import re

from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Proto

_FLOATS = {Proto.TYPE_FLOAT, Proto.TYPE_DOUBLE}
_TEXTS = {Proto.TYPE_STRING, Proto.TYPE_ENUM}
_LARGEST = 2**53
_ESCAPE = re.compile(rb"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


def default_text(field: Proto, first_value: str) -> str | None:
    """The default that a field declares, as canonical JSON. None without one, or where it is what absence means anyway.

    `first_value` is that of the field's enum.
    """
    if not field.HasField("default_value"):
        return None
    said = field.default_value
    if field.type == Proto.TYPE_BYTES:
        return json.dumps(base64.b64encode(_unescaped(said)).decode()) if said else None
    if field.type in _TEXTS:
        return None if said == first_value else json.dumps(said, ensure_ascii=False)
    if field.type == Proto.TYPE_BOOL:
        return "true" if said == "true" else None
    return _number(said, is_float=field.type in _FLOATS)


def _number(said: str, *, is_float: bool) -> str | None:
    if not is_float:
        return said if said.strip("-0") else None
    value = float(said)
    if math.isnan(value):
        return '"NaN"'
    if math.isinf(value):
        return '"Infinity"' if value > 0 else '"-Infinity"'
    if value.is_integer() and abs(value) < _LARGEST:
        return str(int(value)) if value or said.startswith("-") else None
    return repr(value)


def _unescaped(said: str) -> bytes:
    return _ESCAPE.sub(_escape, said.encode())


def _escape(match: re.Match[bytes]) -> bytes:
    said = match[1]
    if said[:1] == b"x" and len(said) > 1:
        return bytes([int(said[1:], 16)])
    if said.isdigit():
        return bytes([int(said, 8) & 0xFF])
    return _LETTERS.get(said, said)
