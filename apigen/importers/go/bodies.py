"""Bodies of functions, found without a grammar: what they hold is no API, and may be newer Go than the grammar knows."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

_TEXT = rb"""//[^\n]*|/\*.*?(?:\*/|\Z)|`[^`]*`?|"(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n])*'?"""
"""Comments, strings and runes; what is not closed is one as well, so that no text is looked through twice."""

_HIDING = re.compile(_TEXT, re.DOTALL)
_TOKEN = re.compile(_TEXT + rb"|[{}()\[\]]|\n|(?<=\n)func\b", re.DOTALL)
_DECLARATION = re.compile(rb"\n(?:\}|type\b|const\b|var\b|func\b|import\b)")
_NOT_A_BREAK = re.compile(rb"[^\n]")


def without_bodies(data: bytes, places: Sequence[int]) -> bytes | None:
    """The text with spaces for those bodies of functions that hold one of these offsets; all places stay what they are.

    None if an offset is in no body, or in one that seems to hold further declarations: a brace is missing, then.
    """
    bodies = list(function_bodies(data))
    chosen: dict[tuple[int, int], None] = {}
    for place in sorted(places):
        position = bisect_right(bodies, (place, 0)) - 1
        if position < 0 or place >= bodies[position][1]:
            return None
        chosen[bodies[position]] = None
    parts: list[bytes] = []
    copied = 0
    for start, end in chosen:
        body = data[start + 1 : end - 1]
        if _DECLARATION.search(_HIDING.sub(b"", body)):
            return None
        parts += [data[copied : start + 1], _NOT_A_BREAK.sub(b" ", body)]
        copied = end - 1
    return b"".join([*parts, data[copied:]])


def function_bodies(data: bytes) -> Iterator[tuple[int, int]]:
    """Where the bodies of the functions begin and end that stand at the beginning of a line, braces included."""
    depth = 0
    is_function = False
    start = 0
    body: tuple[int, int] | None = None
    for token in _TOKEN.finditer(data):
        word = token[0]
        if word == b"func" and depth == 0:
            is_function, body = True, None
        elif word in (b"{", b"(", b"["):
            if depth == 0 and word == b"{":
                start = token.start()
            depth += 1
        elif word in (b"}", b")", b"]"):
            depth = max(0, depth - 1)
            if depth == 0 and word == b"}":
                body = (start, token.end())  # the last one of the declaration: types of results may have braces, too
        elif word == b"\n" and depth == 0 and is_function and body is not None:
            yield body
            is_function = False
    if is_function and body is not None and depth == 0:
        yield body
