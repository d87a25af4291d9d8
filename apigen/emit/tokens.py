"""Tokens of one Python statement, as the formatter needs them: text, space in front, and what the grammar found out about them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = frozenset(OPENING.values())

_TOKEN = re.compile(
    r"""(?P<space>(?:[ \t\f]|\\?\r?\n)*)
    (?:(?P<comment>\#[^\n]*)
    |(?P<string>[A-Za-z]{0,2}(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))
    |(?P<number>0[xXbBoO][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?[jJ]?)
    |(?P<name>\w+)
    |(?P<open>[(\[{])
    |(?P<close>[)\]}])
    |(?P<op>\*\*=|//=|>>=|<<=|\.\.\.|->|:=|==|!=|<=|>=|\*\*|//|<<|>>|[-+*/%@&|^]=|[-+*/%@&|^~<>=,:.;])
    )""",
    re.VERBOSE | re.DOTALL,
)


class UnsupportedSyntax(Exception):
    """The text is no single statement of the kinds that the formatter knows. It never leaves this package."""


class Kind(Enum):
    """What a token is, as far as spelling tells."""

    NAME = "name"
    NUMBER = "number"
    STRING = "string"
    OPEN = "open"
    CLOSE = "close"
    OP = "op"
    COMMENT = "comment"
    END = "end"


class Role(Enum):
    """What an opening bracket begins. Only displays and imports put one item on each line as soon as they are split."""

    NONE = "none"
    DISPLAY = "display"
    IMPORT = "import"
    CALL = "call"
    SUBSCRIPT = "subscript"
    PARAMETERS = "parameters"
    TERNARY = "ternary"


class Star(Enum):
    """Where a `*`, `**` or `/` stands that decides whether a comma may follow the last item."""

    NONE = "none"
    PARAMETER = "parameter"
    ARGUMENT = "argument"


@dataclass(slots=True, eq=False)
class Token:
    """One token. Mutable, because splitting a line turns optional parentheses into real ones, wherever else they are looked at.

    Attributes:
        space: blanks in front, counted as if power operators had blanks around them.
        priority: how readily a line is broken in front of this token; 0 is never.
        depth: how many brackets, loop targets and lambda parameter lists are open in front of it.
        partner: the bracket that belongs to this bracket.
        hugged: no blank is printed in front although one is counted (power operators).
        optional: a parenthesis that is there for the splitter only, as long as `text` is empty.
        magic: a closing bracket after a comma that was there before formatting and demands one item per line.
        typed: part of the annotation of a parameter.
        added: made by the splitter; a line that has one is not tried a second time.
        settled: the line that it is in has been tried a second time already.
    """

    kind: Kind
    text: str
    space: int = 0
    priority: int = 0
    depth: int = 0
    partner: Token | None = None
    role: Role = Role.NONE
    star: Star = Star.NONE
    hugged: bool = False
    optional: bool = False
    magic: bool = False
    typed: bool = False
    shelters: bool = False
    unshelters: bool = False
    added: bool = False
    settled: bool = False
    comment: str = ""

    @property
    def size(self) -> int:
        """Columns that the token takes, with the blank in front."""
        return self.space + columns(self.text)


def columns(text: str) -> int:
    """How many terminal columns a text takes: wide characters count twice, combining ones not at all."""
    if text.isascii():
        return len(text)
    return sum(map(_char_columns, text))


def _char_columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def tokenize(text: str) -> list[Token]:
    """Cut a statement into tokens. Raises UnsupportedSyntax where it is no Python."""
    tokens: list[Token] = []
    position = 0
    end = len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise UnsupportedSyntax(f"no token at column {position}")
        kind = Kind(match.lastgroup)
        space = 1 if match["space"] and tokens else 0
        tokens.append(Token(kind, match[kind.value], space))
        position = match.end()
    return tokens
