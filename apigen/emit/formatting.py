"""Formats generated Python as Black does, at a small part of its price.

What comes in are logical lines: each simple statement and each header of a compound one on a single line of any length,
spaced and quoted as Black would, without commas in front of closing brackets (but for tuples of one) and without
parentheses that Black would remove. Lines that fit stay as they are and cost the look at their length; the others are
split as Black 26 in its stable style splits them.

Not as Black does it, but left on one line:

- what is no statement of Python 3.14, holds a line break in a string, is several statements, or has a body
  other than `...` behind its header;
- expressions nested more than `reading.MAX_NESTING` deep;
- f-strings whose fields hold the quote that surrounds them (Python 3.12).

Split otherwise than Black does:

- the annotation of a function's result if it is a subscript with a lambda among several items;
- a tuple of one item with commas in it, behind the closing bracket of a comprehension.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from apigen.emit.continuations import statements
from apigen.emit.lines import INDENT, Line
from apigen.emit.quick import split_quickly
from apigen.emit.reading import Syntax
from apigen.emit.splitting import Splitter
from apigen.emit.statements import read_statement
from apigen.emit.tokens import Kind, Token, UnsupportedSyntax, columns, tokenize

WIDTH = 88

_KEEPS_LINE = re.compile(r"# type: ignore|#.*\bfmt:\s*skip")
_DEPENDS_ON_SYNTAX = re.compile(r"[(\s,]\*|\bwith\b")
_SYNTAX_HINT = re.compile(
    r"""[fFtT]["']|[fFtT][rR]["']|[\dbBoOxX]_|:=|\*|/|__future__|:.*=.*,"""
    r"""|^\s*(?:@|(?:match|case|except|with|async with)\b|(?:async def|def|class|type) \w+(?:\[| =))""",
    re.MULTILINE,
)
"""Found in every statement whose syntax is newer than Python 3.4, and in others."""


def format_line(text: str, depth: int, width: int = WIDTH, syntax: Syntax | None = None) -> str:
    """Split a logical line as Black would.

    Args:
        text: the line, without its indentation.
        depth: how many levels it is indented.
        width: how many columns a line may take.
        syntax: what Python is known to understand; None is what the line itself shows, as if it stood alone.

    Returns:
        The line, with lines after the first indented by `depth` and more; `text` itself if it fits or cannot be split.
    """
    room = width - INDENT * depth
    if (len(text) <= room and (text.isascii() or columns(text) <= room)) or text.startswith("#") or "\n" in text:
        return text
    if text.startswith('"""') and text.find('"""', 3) == len(text) - 3:
        return text
    syntax = syntax or Syntax.OLD
    quick = split_quickly(text, depth, width, syntax)
    return _split_thoroughly(text, depth, width, syntax) if quick is None else quick


def _split_thoroughly(text: str, depth: int, width: int, syntax: Syntax) -> str:
    try:
        tokens = tokenize(text)
        if tokens[-1].kind is Kind.COMMENT and _KEEPS_LINE.match(tokens[-1].text):
            return text
        lines = _split(tokens, depth, width, syntax)
    except UnsupportedSyntax:
        return text
    return "\n".join(" " * (INDENT * line.depth) + line.text for line in lines)[INDENT * depth :]


def format_source(source: str, width: int = WIDTH, syntax: Syntax | None = None) -> str:
    """Split the lines of a module that are too long.

    Statements that take several lines already (docstrings, say) stay as they are.

    Args:
        source: the module's text, of logical lines.
        width: how many columns a line may take.
        syntax: what Python is known to understand; None is what the module shows, which is how Black finds out.
    """
    if source.isascii() and max(map(len, source.split("\n"))) <= width:
        return source
    module = _Module(source, width, syntax)
    return "\n".join(
        [
            text if (len(text) <= width and text.isascii()) or "\n" in text else module.formatted(text)
            for text in statements(source)
        ]
    )


def detect_syntax(source: str, wanted: Syntax = Syntax.MODERN) -> Syntax:
    """The newer syntax that a module uses, and with it the syntax of the same age; it stops once `wanted` is found."""
    found = Syntax.OLD
    for text in statements(source):
        if not _SYNTAX_HINT.search(text):
            continue
        try:
            found |= read_statement(tokenize(text.strip()), Syntax.OLD)[1]
        except UnsupportedSyntax:
            continue
        if wanted in found:
            break
    return found


class _Module:
    """A module being formatted, which finds out about its syntax only when a line depends on it."""

    def __init__(self, source: str, width: int, syntax: Syntax | None) -> None:
        self._source = source
        self._width = width
        self._found = syntax or Syntax.OLD
        self._searched = Syntax.MODERN if syntax is not None else Syntax.OLD

    def formatted(self, line: str) -> str:
        """A statement on one line, formatted."""
        text = line.lstrip(" ")
        depth, rest = divmod(len(line) - len(text), INDENT)
        if rest:
            return line
        return line[: INDENT * depth] + format_line(text, depth, self._width, self._syntax(text))

    def _syntax(self, text: str) -> Syntax:
        wanted = Syntax.OLD
        if ("*" in text or "with" in text) and _DEPENDS_ON_SYNTAX.search(text):
            wanted = Syntax.MODERN if text.startswith(("with", "async with")) else Syntax.COMMAS
        if wanted not in self._searched:
            self._found |= detect_syntax(self._source, wanted)
            self._searched |= wanted
        return self._found


def _split(tokens: list[Token], depth: int, width: int, syntax: Syntax) -> list[Line]:
    """Split a statement, and then what came out once more.

    Black does so too: a comma that the first round adds demands a split in the second one, which may lead elsewhere.
    """
    count = sum(token.kind is not Kind.COMMENT for token in tokens)
    lines: list[Line] = []
    for _ in range(2):
        read, syntax = read_statement(tokens, syntax)
        lines = Splitter(width, syntax).split(Line(read, depth))
        tokens = _rejoined(lines)
        if len(tokens) == count:
            break
    return lines


def _rejoined(lines: Sequence[Line]) -> list[Token]:
    """The tokens of a split statement, as if read from its text."""
    joined: list[Token] = []
    space = 0
    for line in lines:
        for token in line.tokens:
            space = space or token.space
            if not token.text:
                continue
            tight = token.kind is Kind.CLOSE or (joined and joined[-1].kind is Kind.OPEN)
            joined.append(Token(token.kind, token.text, 0 if tight else space, token.size))
            space = 0
        comments = line.comments.strip()
        if comments:
            joined[-1].comment = comments
    return joined
