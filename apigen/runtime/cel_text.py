"""The text of CEL expressions: its strings and comments, and what is inserted before it is compiled."""

from __future__ import annotations

import re

from .dataclasses import dataclass

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from typing import Final

STRING_OR_COMMENT: Final = (
    r"""[rRbB]{0,2}("{3}[\s\S]*?"{3}|'{3}[\s\S]*?'{3}|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|//.*"""
)
"""A pattern of strings and comments in expressions."""

_TOKEN: Final = rf"{STRING_OR_COMMENT}|[A-Za-z_]\w*|\s+|[\s\S]"
_RESULT: Final = "optional.ofNonZeroValue("


@dataclass(frozen=True, slots=True)
class Rewritten:
    """An expression with insertions; `added` are their positions and lengths."""

    text: str
    added: list[tuple[int, int]]

    def column(self, line: int, column: int) -> int:
        """Return the column in the original expression; lines and columns count from 1."""
        start = sum(map(len, self.text.splitlines(keepends=True)[: line - 1]))
        at = start + column - 1
        return column - sum(size for place, size in self.added if start <= place < at)


def with_optionals(expression: str) -> Rewritten:
    """Return an expression in which calls of `format` return optionals: no optional for a format without a name, and for
    a string without errors. Calls on a format in a variable are not supported.
    """
    if "format" not in expression:
        return Rewritten(expression, [])
    tokens = [found[0] for found in re.finditer(_TOKEN, expression)]
    prefixes, closed = [0] * len(tokens), set[int]()
    calls: list[tuple[int | None, str]] = []
    start: int | None = None  # of the chain of calls that begins with `format`
    last = called = ""
    for index, token in enumerate(tokens):
        if token.isspace() or token.startswith("//"):
            continue
        if last == ".":
            called = token
        elif token == "format":
            start = index
        elif token == "(":
            calls.append((start, called))
            start = None
        elif token == ")" and calls:
            start, called = calls.pop()
            if start is not None and called in ("named", "validate"):
                prefixes[start] += 1
                closed.add(index)
        elif token != ".":
            start = None
        last = token
    written: list[str] = []
    added: list[tuple[int, int]] = []
    length = 0
    for index, token in enumerate(tokens):
        prefix, suffix = _RESULT * prefixes[index], ")" * (index in closed)
        if prefix:
            added.append((length, len(prefix)))
        written += (prefix, token, suffix)
        length += len(prefix) + len(token) + len(suffix)
        if suffix:
            added.append((length - 1, 1))
    return Rewritten("".join(written), added)
