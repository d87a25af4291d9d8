"""Patterns of constraints: the part of Python's `re` that RE2 has too, which other tools and servers use.

Look-around, back-references, conditions, and possessive or atomic groups are left out: RE2 has none of them, and they are
what makes a match expensive. A repeated group of one repeated thing (`(a+)+`) is refused too, as it takes exponential
time. Text is searched for a match anywhere, as in JSON Schema: `^` and `$` tie it to the ends.
"""

from __future__ import annotations

import re

LONGEST_PATTERN = 2_000
_LONGEST_TRIED = 64
_MOST_REPEATS_TRIED = 4

_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?[^:)]{0,3}|.", re.DOTALL)
_REPEAT = re.compile(r"[*+]|\{[0-9]*,\}")
_NESTED_REPEAT = re.compile(r"\((?:\?:)?(?:\\.|\[(?:\\.|[^\]\\])*\]|[^()\\])(?:[*+]|\{[0-9]*,\})\)(?:[*+]|\{[0-9]*,\})")
_PYTHON_ONLY = {
    "(?=": "look-ahead",
    "(?!": "look-ahead",
    "(?<=": "look-behind",
    "(?<!": "look-behind",
    "(?P=": "a back-reference",
    "(?(": "a condition",
    "(?>": "an atomic group",
}


def pattern_problem(pattern: str) -> str | None:
    """Why a pattern cannot be used, or None if it can."""
    if len(pattern) > LONGEST_PATTERN:
        return f"it is longer than {LONGEST_PATTERN} characters"
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return str(error) or "it is nested too deeply"
    for token in _TOKEN.findall(pattern):
        if re.fullmatch(r"\\[1-9]", token):
            return "it has a back-reference, which RE2 does not know"
        for start, what in _PYTHON_ONLY.items():
            if token.startswith(start):
                return f"it has {what}, which RE2 does not know"
    if re.search(r"[*+?}]\+", _without_classes(pattern)):
        return "it has a possessive repeat, which RE2 does not know"
    if _NESTED_REPEAT.search(pattern):
        return "it repeats a repeat, which takes exponential time on text that nearly matches"
    return None


def matches(pattern: str, text: str) -> bool | None:
    """Whether a good pattern is found in a text; None where finding out might take long."""
    if len(text) > _LONGEST_TRIED or len(_REPEAT.findall(pattern)) > _MOST_REPEATS_TRIED:
        return None
    return re.search(pattern, text) is not None


def _without_classes(pattern: str) -> str:
    """The pattern with `_` for each escape and class, so that what is left are operators."""
    return "".join("_" if token[0] in "\\[" and len(token) > 1 else token for token in _TOKEN.findall(pattern))
