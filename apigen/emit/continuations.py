"""Tells where one statement ends and the next begins, without tokenizing lines that stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARK = re.compile(r"""#|\\.|\\$|\"{3}|'{3}|["'(\[{)\]}]""")
_BRACKETS = "()[]{}"


def statements(source: str) -> Iterator[str]:
    """The statements of a module: the lines of one that takes several come together, others alone."""
    group: list[str] = []
    scanner = _Scanner()
    for line in source.split("\n"):
        if group or _may_go_on(line):
            group.append(line)
            if scanner.feed(line):
                continue
            yield "\n".join(group)
            group = []
        else:
            yield line
    if group:
        yield "\n".join(group)


def _may_go_on(line: str) -> bool:
    """Whether a statement may not end with this line. A cheap guess, wrong only where it does no harm."""
    count = line.count
    return (
        count("(") != count(")")
        or count("[") != count("]")
        or count("{") != count("}")
        or '"""' in line
        or "'''" in line
        or line[-1:] == "\\"
    )


class _Scanner:
    """Reads lines of a statement until it is over."""

    def __init__(self) -> None:
        self._depth = 0
        self._quote = ""

    def feed(self, line: str) -> bool:
        """Read a line. Returns whether the statement goes on after it."""
        for match in _MARK.finditer(line):
            mark = match[0]
            if self._quote:
                if mark in (self._quote, self._quote * 3):  # three: the end of a string and an empty one after it
                    self._quote = ""
            elif mark == "#":
                break
            elif mark[0] in "\"'":
                self._quote = mark
            elif mark in _BRACKETS:
                self._depth += 1 if mark in "([{" else -1
        escaped = line.endswith("\\")
        if len(self._quote) == 1 and not escaped:
            self._quote = ""
        if self._quote or self._depth > 0 or escaped:
            return True
        self._depth = 0
        return False
