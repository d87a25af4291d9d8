"""Where languages of patterns read the same sign differently."""

from __future__ import annotations

import re
from enum import Enum

from apigen.compat.inclusion.regex.characters import LINE_BREAK, SPACES, CharacterSet, characters, joined

_ESCAPED = re.compile(r"\\.", re.DOTALL)
_RE2_SPACES = characters(" \t\n\r\f")
_ECMA_LINE_BREAKS = characters("\n\r\u2028\u2029")
_ECMA_SPACES = joined(
    [
        *SPACES,
        *characters("\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"),
        (0x2000, 0x200A),
    ]
)


class Dialect(Enum):
    """Who judges a pattern: `\\s` and `.` are told, in this order."""

    PYTHON = SPACES, LINE_BREAK  # `re` with re.ASCII, in generated code
    RE2 = _RE2_SPACES, LINE_BREAK  # API servers, in Go
    ECMA = _ECMA_SPACES, _ECMA_LINE_BREAKS  # JSON Schema

    @property
    def spaces(self) -> CharacterSet:
        """What `\\s` stands for."""
        return self.value[0]

    @property
    def line_breaks(self) -> CharacterSet:
        """What `.` does not stand for."""
        return self.value[1]


def others(patterns: tuple[str, ...]) -> tuple[Dialect, ...]:
    """The dialects, besides Python's, in which one of the patterns may have other texts."""
    if any(r"\s" in each or r"\S" in each for each in patterns):
        return Dialect.RE2, Dialect.ECMA
    return (Dialect.ECMA,) if any("." in _ESCAPED.sub("", each) for each in patterns) else ()
