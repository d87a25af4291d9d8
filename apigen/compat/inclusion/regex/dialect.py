"""Signs that languages of patterns read differently."""

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
    """Languages of patterns, each with its sets of `\\s` and of what `.` does not match."""

    RE2 = _RE2_SPACES, LINE_BREAK  # API servers and generated code
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
    """The dialects besides RE2 in which one of the patterns may match other texts."""
    has_spaces = any(r"\s" in each or r"\S" in each for each in patterns)
    has_any = any("." in _ESCAPED.sub("", each) for each in patterns)
    return (Dialect.ECMA,) if has_spaces or has_any else ()
