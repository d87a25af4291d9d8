"""JSON text to trees of dict, list, str, int, float, bool and None, as Kubernetes' decoder understands it.

Integers may be of any size and stay int; numbers with a point or an exponent become float and know their text. Broken
characters (halves of surrogate pairs, invalid UTF-8) become U+FFFD. Byte order marks, NaN, control characters in
strings, trailing commas and data after the value are errors.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache

from .errors import DecodeError
from .json_exact import MAX_DEPTH, ExactParser, refuse_constant
from .json_scalars import (
    decode_bool,
    decode_bytes,
    decode_duration,
    decode_fields_v1,
    decode_float32,
    decode_float64,
    decode_int32,
    decode_int64,
    decode_int_or_string,
    decode_list,
    decode_micro_time,
    decode_object,
    decode_quantity,
    decode_raw_extension,
    decode_string,
    decode_time,
    decode_uint32,
    decode_uint64,
    note_unknown,
)
from .json_source import exact_float

__all__ = [
    "MAX_DEPTH",
    "DecodeError",
    "decode_bool",
    "decode_bytes",
    "decode_duration",
    "decode_fields_v1",
    "decode_float32",
    "decode_float64",
    "decode_int32",
    "decode_int64",
    "decode_int_or_string",
    "decode_list",
    "decode_micro_time",
    "decode_object",
    "decode_quantity",
    "decode_raw_extension",
    "decode_string",
    "decode_time",
    "decode_uint32",
    "decode_uint64",
    "note_unknown",
    "parse_json",
]

_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89abcdefABCDEF]")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPED_PLAIN = re.compile(r"\\u00(?!26|3[cCeE])[2-7]")  # but not of & < >, which Go always escapes


class _Duplicate(ValueError):
    """Some object has a member twice."""


def _without_duplicates(members: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(members)
    if len(result) != len(members):
        raise _Duplicate
    return result


_decode = json.JSONDecoder(parse_float=exact_float, parse_constant=refuse_constant).decode
_decode_strictly = json.JSONDecoder(
    parse_float=exact_float, parse_constant=refuse_constant, object_pairs_hook=_without_duplicates
).decode


def parse_json(
    data: bytes | str, raw_names: frozenset[str] = frozenset(), duplicates: list[str] | None = None
) -> object:
    """Parse one JSON value.

    Values of members called as in `raw_names`, and the values directly in those, carry `raw`: their exact source text.
    Repeated members: the last one counts; if `duplicates` is a list, their paths are added (`spec.ports[0].port`).
    Raises DecodeError for anything that is not JSON, and for nesting deeper than 10,000 levels.
    """
    text = data if isinstance(data, str) else data.decode("utf-8", "surrogateescape")
    interesting: list[int] | None = [] if _is_ordinary(text) else None
    if interesting is not None and raw_names:
        interesting = _members(text, raw_names)
    if interesting is not None and not (interesting and duplicates is None):
        try:
            tree = _decode(text) if duplicates is None else _decode_strictly(text)
            if not interesting:
                return tree
            duplicates = None  # now that it is known that there are none
        except (ValueError, RecursionError):
            interesting = None  # the exact parser says what is wrong, or copes
    return ExactParser(text, raw_names, duplicates, interesting).parse()


def _is_ordinary(text: str) -> bool:
    """Return whether the parser written in C decodes the strings as Go does."""
    if "\\" in text and _ESCAPED_SURROGATE.search(text):
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _members(text: str, names: frozenset[str]) -> list[int] | None:
    """Return where members with these names may start, or None if they may be written with escapes."""
    pattern = _pattern(names)
    if pattern is None or ("\\" in text and _ESCAPED_PLAIN.search(text)):
        return None
    return [match.start() for match in pattern.finditer(text)]


@lru_cache(maxsize=256)
def _pattern(names: frozenset[str]) -> re.Pattern[str] | None:
    if not all(map(_PLAIN_NAME.fullmatch, names)):
        return None
    return re.compile(rf'"(?:{"|".join(sorted(names))})"')
