"""Tokens of one Python statement, as the formatter needs them: text, space in front, and what the grammar found out about them."""

from __future__ import annotations

import re
import unicodedata
from enum import Enum

from apigen.dataclass import dataclass

_TOKEN = re.compile(
    r"""(?P<space>(?:[ \t\f]|\\?\n)*)
    (?:(?P<name>[^\W\d]\w*(?!["'\w]))
    |(?P<op>\*\*=?|//=?|>>=?|<<=?|\.\.\.|->|[-+*/%@&|^=!<>:]=|[-+*/%@&|^~<>=,:;]|\.(?!\d))
    |(?P<open>[(\[{])
    |(?P<close>[)\]}])
    |(?P<string>[A-Za-z]{0,2}(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))
    |(?P<number>0[xXbBoO][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?[jJ]?)
    |(?P<comment>\#[^\n]*)
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
    """One token; a parenthesis without text is optional: it is there for the splitter only.

    Mutable, because splitting a line gives optional parentheses their text, on whatever lines they stand by then.

    Attributes:
        kind: what it is.
        text: how it is written.
        space: blanks in front, counted as if power operators had blanks around them.
        size: columns that the text takes.
        priority: how readily a line is broken in front of it (of a comma: behind it); 0 is never.
        depth: how many brackets, loop targets and lambda parameter lists are open in front of it.
        partner: the bracket that belongs to this bracket.
        role: what an opening bracket begins.
        star: whether it is a star or slash that trailing commas depend on.
        shelter: 1 if it opens a loop's target or the parameters of a lambda, where no line is broken, -1 if it closes them.
        magic: a closing bracket after a comma that was there before formatting and demands one item per line.
        typed: part of the annotation of a parameter.
        settled: made by the splitter, or part of a line that has been tried a second time; once is enough.
        comment: what is to be written at the end of its line.
    """

    kind: Kind
    text: str
    space: int
    size: int
    priority: int = 0
    depth: int = 0
    partner: Token | None = None
    role: Role = Role.NONE
    star: Star = Star.NONE
    shelter: int = 0
    magic: bool = False
    typed: bool = False
    settled: bool = False
    comment: str = ""

    @property
    def size_with_comment(self) -> int:
        """Columns of blank, text and comment, which is what Black counts from the end of a line."""
        return self.space + self.size + columns(self.comment)


def columns(text: str) -> int:
    """How many terminal columns a text takes: wide characters count twice, combining ones not at all."""
    if text.isascii():
        return len(text)
    return sum(map(_char_columns, text))


def _char_columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


_KINDS = {kind.value: kind for kind in Kind}


def tokenize(text: str) -> list[Token]:
    """Cut a statement into tokens. Raises UnsupportedSyntax where it is no Python."""
    tokens: list[Token] = []
    position = 0
    end = len(text.rstrip())
    match_token = _TOKEN.match
    while position < end:
        match = match_token(text, position)
        if match is None or match.lastgroup is None:
            raise UnsupportedSyntax(f"no token at column {position}")
        word = match[match.lastgroup]
        space = 1 if match.end(1) > position and tokens else 0
        tokens.append(Token(_KINDS[match.lastgroup], word, space, columns(word)))
        position = match.end()
    return tokens
