"""JSON text to trees of dict, list, str, int, float, bool and None, as Kubernetes' decoder understands it.

Integers may be of any size and stay int; numbers with a point or an exponent become float and know their text. Broken
characters (halves of surrogate pairs, invalid UTF-8) become U+FFFD. Byte order marks, NaN, control characters in
strings, trailing commas and data after the value are errors.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache

from .json_exact import ExactParser, clean, refuse_constant
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
from .optional import orjson

__all__ = [
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
    data: bytes | str,
    raw_names: frozenset[str] = frozenset(),
    duplicates: list[str] | None = None,
    *,
    exact_numbers: bool = True,
) -> object:
    """Parse one JSON value.

    Values of members called as in `raw_names`, and the values directly in those, carry `raw`: their exact source text.
    Repeated members: the last one counts; if `duplicates` is a list, their paths are added (`spec.ports[0].port`).
    Raises DecodeError for anything that is not JSON, and for nesting deeper than 10,000 levels.

    Without `exact_numbers`, orjson is used where it is installed. Then a float does not know its text, and an integer
    past 64 bits may be one; only a Quantity that is written as a number can tell.
    """
    text = clean(data) if isinstance(data, str) else data.decode("utf-8", "surrogateescape")
    interesting: list[int] | None = None
    if _is_ordinary(text):
        interesting = _members(text, raw_names) if raw_names else []
    if interesting == [] or duplicates is not None:
        try:
            tree = _decoded(text, duplicates is not None, exact_numbers)
        except (ValueError, RecursionError):
            interesting = None  # the exact parser finds out, or copes
        else:
            if interesting == []:
                return tree
            duplicates = None  # now that there are none
    return ExactParser(text, raw_names, duplicates, interesting).parse()


def _decoded(text: str, refuse_duplicates: bool, exact_numbers: bool) -> object:
    """Parse in C. Raises ValueError or RecursionError."""
    if refuse_duplicates:
        return _decode_strictly(text)
    if exact_numbers or orjson is None:
        return _decode(text)
    return orjson.loads(text)


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
    quoted, pattern = _searches(names)
    if pattern is None or ("\\" in text and _ESCAPED_PLAIN.search(text)):
        return None
    if not any(name in text for name in quoted):  # much faster than the pattern
        return []
    return [match.start() for match in pattern.finditer(text)]


@lru_cache(maxsize=256)
def _searches(names: frozenset[str]) -> tuple[tuple[str, ...], re.Pattern[str] | None]:
    """Return what to look for; no pattern if a name may itself be written in several ways."""
    if not all(map(_PLAIN_NAME.fullmatch, names)):
        return (), None
    return tuple(f'"{name}"' for name in names), re.compile(rf'"(?:{"|".join(sorted(names))})"')
