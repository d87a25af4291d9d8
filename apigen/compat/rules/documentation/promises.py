"""The words of a description that promise something."""

from __future__ import annotations

import re
from collections import Counter

_PROMISE = re.compile(
    r"\b(must(?: not)?|may not|shall(?: not)?|cannot|required|mandatory|forbidden|only if|exactly|at most|at least|immutable"
    r"|defaults?(?: to| is)?|defaulted|minimum|maximum|never|always"
    r"|nanoseconds?|microseconds?|milliseconds?|seconds?|minutes?|hours?|days?|bytes?|[KMGT]i?B|bits?|percent(?:age)?"
    r"|millicores?|cores?|RFC ?\d+|UTC)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")

MOST = 20_000
"""Characters of a description that are looked at."""


def promises(text: str | None) -> Counter[str]:
    """The words of duty, of units and of defaults in a description, and its numbers, each as often as it is there."""
    said = (text or "")[:MOST]
    words = Counter(" ".join(match.lower().split()) for match in _PROMISE.findall(said))
    if words:
        words.update(_NUMBER.findall(said))
    return words


def changed(before: str | None, after: str | None) -> tuple[str, ...]:
    """The words of promise that are on one side only, in order of the alphabet."""
    old, new = promises(before), promises(after)
    return tuple(sorted({*(old - new), *(new - old)}))
