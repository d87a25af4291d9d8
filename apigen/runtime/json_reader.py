"""JSON text to trees of dict, list, str, int, float, bool and None, as Kubernetes' decoder understands it.

Integers may be of any size and stay int; numbers with a point or an exponent become float and know their text. Broken
characters (halves of surrogate pairs, invalid UTF-8) become U+FFFD. Byte order marks, NaN, control characters in
strings, trailing commas and data after the value are errors.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache

from .json_exact import (
    SURROGATE,
    ExactParser,
    clean,
    may_nest_too_deep,
    nests_too_deep,
    reject_constant,
)
from .json_source import exact_float
from .optional import orjson

__all__ = [
    "may_hold",
    "parse_json",
]

_USUAL_DEPTH = 1_000  # beyond, all levels are counted together
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89abcdefABCDEF]")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPED_PLAIN = re.compile(
    r"\\u00(?!26|3[cCeE])[2-7]"
)  # but not of & < >, which Go always escapes


class _Duplicate(ValueError):
    """Some object has a member twice."""


def _without_duplicates(members: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(members)
    if len(result) != len(members):
        raise _Duplicate
    return result


_decode = json.JSONDecoder(
    parse_float=exact_float, parse_constant=reject_constant
).decode
_decode_strictly = json.JSONDecoder(
    parse_float=exact_float,
    parse_constant=reject_constant,
    object_pairs_hook=_without_duplicates,
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

    Without `exact_numbers`, orjson is used if it is installed. Then a float does not know its text, and an integer
    beyond 64 bits may be a float; only a Quantity that is written as a number is affected.
    """
    text = (
        clean(data)
        if isinstance(data, str)
        else data.decode("utf-8", "surrogateescape")
    )
    ordinary = is_ordinary(text)
    named = named_members(text, raw_names) if ordinary and raw_names else []
    if ordinary and named is not None:
        try:
            if named:
                # Errors, and nesting too deep for C, are detected before values are read one by one.
                parse = _decode if duplicates is None else _decode_strictly
                parse(text)
                tree = _with_sources(text, raw_names, named)
            elif duplicates is not None:
                tree = _decode_strictly(text)
            elif exact_numbers or orjson is None:
                tree = _decode(text)
            else:
                tree = orjson.loads(text)
            if not may_nest_too_deep(text) or not nests_too_deep(tree):
                return tree
        except (ValueError, RecursionError):
            pass  # the exact parser reports the error, or succeeds
    interesting = _interesting(text, raw_names) if duplicates is None else None
    return ExactParser(text, raw_names, duplicates, interesting).parse()


def _interesting(text: str, raw_names: frozenset[str]) -> list[int] | None:
    """Return where the parser in C reads something else than Go, and where raw values may start; None: anywhere.

    C reads the containers without such a position. One odd character would else make the whole text fifty times slower.
    """
    found: list[int] = []
    if raw_names:
        quoted, pattern = _searches(raw_names)
        if pattern is None:
            return None
        found += [member.start() for member in _members(text, quoted, pattern)]
    if "\\" in text:
        odd = _ESCAPED_SURROGATE, *((_ESCAPED_PLAIN,) if raw_names else ())
        found += [match.start() for form in odd for match in form.finditer(text)]
    if not text.isascii():
        found += [match.start() for match in SURROGATE.finditer(text)]
    return sorted(found)


def _with_sources(
    text: str, raw_names: frozenset[str], named: list[re.Match[str]]
) -> object:
    """Parse in C, but for the values of the members in `named`. Raises ValueError or RecursionError.

    Each of these values is parsed on its own and replaced by NaN, for which the C parser calls a function, in order.
    If the text has any NaN itself, there is one too many.
    """
    parser = ExactParser(
        text, raw_names, None, [member.start() for member in named], _USUAL_DEPTH
    )
    pieces: list[str] = []
    values: list[object] = []
    position = 0
    for member in named:
        if member.start() >= position:  # else it is within the value before
            value, end = parser.parse_from(member.end(), is_named=True)
            values.append(value)
            pieces += (text[position : member.end()], "NaN")
            position = end
    pieces.append(text[position:])
    values.reverse()

    def next_value(constant: str) -> object:
        return (
            values.pop() if constant == "NaN" and values else reject_constant(constant)
        )

    tree = json.JSONDecoder(parse_float=exact_float, parse_constant=next_value).decode(
        "".join(pieces)
    )
    if values:
        raise ValueError("a value was not asked for")
    return tree


def is_ordinary(text: str) -> bool:
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


def named_members(text: str, names: frozenset[str]) -> list[re.Match[str]] | None:
    """Return the members with these names up to their values, or None if they may be written with escapes.

    Members whose name ends with one after an escaped quote are included, which is harmless.
    """
    quoted, pattern = _searches(names)
    if pattern is None or ("\\" in text and _ESCAPED_PLAIN.search(text)):
        return None
    return _members(text, quoted, pattern)


def may_hold(data: bytes | str, names: frozenset[str]) -> bool:
    """Return whether a text may have members with such names, so that it matters that those keep their source text."""
    quoted, pattern = _searches(names)
    if pattern is None:
        return True
    if isinstance(data, str):
        return "\\u" in data or any(name in data for name in quoted)
    return b"\\u" in data or any(name.encode() in data for name in quoted)


def _members(
    text: str, quoted: tuple[str, ...], pattern: re.Pattern[str]
) -> list[re.Match[str]]:
    members: list[re.Match[str]] = []
    for name in quoted:
        position = text.find(name)  # much faster than the pattern
        while position >= 0:
            member = pattern.match(text, position)
            if member is not None:
                members.append(member)
            position = text.find(name, position + 1)
    return sorted(members, key=re.Match.start)


@lru_cache(maxsize=256)
def _searches(names: frozenset[str]) -> tuple[tuple[str, ...], re.Pattern[str] | None]:
    """Return the pattern of the names; None if a name can be written in several ways."""
    if not all(map(_PLAIN_NAME.fullmatch, names)):
        return (), None
    pattern = rf'"(?:{"|".join(sorted(names))})"[ \t\n\r]*:[ \t\n\r]*'
    return tuple(f'"{name}"' for name in names), re.compile(pattern)
