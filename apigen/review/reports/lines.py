"""Lines of text for people: wrapped, indented, and with nothing in them that a terminal would obey."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from apigen.diagnostics.quoting import visible
from apigen.review.verdict.example import JsonValue

_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")

PAGE = 100
"""The width of text where nothing says another one."""

LONGEST = 2000
"""Characters of a text of an input that are shown, at most."""


def shown(text: str) -> str:
    """A text of an input as one line that can be seen whole."""
    line = visible(" ".join(text.splitlines()) if "\n" in text else text)
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}… ({len(line) - LONGEST:,} more characters)"


def wrapped(text: str, first: str, rest: str, width: int) -> list[str]:
    """A text over several lines, the first of which begins with `first` and the others with `rest`."""
    lines = _lines(text, max(20, width - len(rest)))
    return [f"{first if number == 0 else rest}{line}".rstrip() for number, line in enumerate(lines)]


def cropped(text: str, room: int) -> str:
    """A text as one line that fits, with a sign where it is cut."""
    line = shown(text)
    return line if len(line) <= room else f"{line[: max(1, room - 1)].rstrip()}…"


def beside(left: str, right: str, room: int) -> Iterator[tuple[str, str]]:
    """Two texts in columns of that width, line by line; the left one is filled up with spaces."""
    for one, other in zip_longest(_lines(left, room), _lines(right, room), fillvalue=""):
        yield one.ljust(room), other


def _lines(text: str, room: int) -> list[str]:
    """A text in lines that are no longer than there is room, at least one: as `textwrap` does it, in a tenth of its time.

    A word that fits in no line begins in the one where it stands.
    """
    left, found = shown(text), []
    while len(left) > room:
        space, end = left.rfind(" ", 0, room + 1), left.find(" ", room)
        is_long = (len(left) if end < 0 else end) - space - 1 > room
        cut = room if is_long else space
        found.append(left[:cut].rstrip())
        left = left[cut:] if is_long else left[cut:].lstrip()
    return [line for line in (*found, left.rstrip()) if line] or [""]


def json_text(value: JsonValue) -> str:
    """A value as JSON in one line, as far as it is shown."""
    import json

    text = json.dumps(value, ensure_ascii=False)
    return visible(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


def prose(text: str) -> Iterator[tuple[str, bool]]:
    """The parts of a sentence, as they are shown: what stands in backticks is code (True), without these."""
    for number, part in enumerate(_CODE.split(shown(text))):
        if part:
            yield part, number % 2 == 1
