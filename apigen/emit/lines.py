"""A line of output in the making: a run of tokens at some depth, and the questions that splitting asks about it."""

from __future__ import annotations

from collections.abc import Sequence

from apigen.emit.reading import COMMA, POWER
from apigen.emit.tokens import Kind, Role, Token, columns

INDENT = 4


class Line:
    """Tokens that are to stand on one line.

    Attributes:
        tokens: what stands on it; the blank in front of the first does not count.
        depth: how far it is indented.
        inside: whether a bracket is open around all of it.
        exploded: whether it has to be split although it may fit.
        delimiters: where it can be broken: index of the token in front of the break -> priority.
        is_magic: whether a comma in front of a closing bracket demands a split.
        hugging: where power operators stand that are written without blanks, as their operands are simple.
        comments: the comments of its tokens, to be put at its end.
    """

    __slots__ = ("comments", "delimiters", "depth", "exploded", "hugging", "inside", "is_magic", "tokens")

    def __init__(self, tokens: Sequence[Token], depth: int, inside: bool = False) -> None:
        self.tokens = tokens
        self.depth = depth
        self.inside = inside
        self.exploded = False
        self.is_magic = False
        self.delimiters: dict[int, int] = {}
        self.hugging: set[int] = set()
        self.comments = ""
        self._survey()

    def _survey(self) -> None:
        tokens = self.tokens
        ground = tokens[0].depth if tokens else 0
        for index, token in enumerate(tokens):
            if token.magic and index:
                self.is_magic = True
            if token.comment:
                self.comments += f"  {token.comment}"
            if not token.priority:
                continue
            if token.priority == POWER and _hugs(tokens, index):
                self.hugging.add(index)
            if token.depth <= ground:
                self._add_delimiter(index if token.priority == COMMA else index - 1, token.priority)

    def _add_delimiter(self, place: int, priority: int) -> None:
        if place >= 0 and priority > self.delimiters.get(place, 0):
            self.delimiters[place] = priority

    @property
    def text(self) -> str:
        """The line without its indentation."""
        parts = [f" {token.text}" if token.space else token.text for token in self.tokens]
        parts[0] = self.tokens[0].text
        for index in self.hugging:
            parts[index : index + 2] = [token.text for token in self.tokens[index : index + 2]]
        return "".join(parts) + self.comments

    @property
    def length_without_comments(self) -> int:
        """Columns of the code, with blanks around power operators."""
        return INDENT * self.depth + sum([token.space + token.size for token in self.tokens]) - self.tokens[0].space

    @property
    def length(self) -> int:
        """Columns, with blanks around power operators."""
        return self.length_without_comments + columns(self.comments)

    @property
    def written_length(self) -> int:
        """Columns, as it would be written."""
        return self.length - 2 * len(self.hugging)

    @property
    def can_be_split(self) -> bool:
        """Whether there is a chance of splitting it; methods of a string literal count as part of the literal."""
        tokens = self.tokens
        return len(tokens) > 1 and not (tokens[0].kind is Kind.STRING and tokens[1].text == ".")

    def count(self, priority: int) -> int:
        """How many breaks of a priority it has."""
        return list(self.delimiters.values()).count(priority)

    def starts_with(self, *words: str) -> bool:
        """Whether it starts with one of the words, `async` or not."""
        first = self.tokens[0]
        if first.text == "async" and len(self.tokens) > 1:
            first = self.tokens[1]
        return first.text in words

    def explode_after(self, opening: Token) -> None:
        """Note whether it, being the body of a bracket, has to go onto several lines."""
        last = len(self.tokens) - 1
        has_trailing_comma = self.tokens[last].priority == COMMA
        top = max((p for index, p in self.delimiters.items() if not (has_trailing_comma and index == last)), default=0)
        self.exploded = top == COMMA and (has_trailing_comma or opening.role in (Role.DISPLAY, Role.IMPORT))


def _hugs(tokens: Sequence[Token], index: int) -> bool:
    if not 0 < index < len(tokens) - 1:
        return False
    return _is_simple_base(tokens, index - 1) and _is_simple_exponent(tokens, index + 1)


def _is_simple_base(tokens: Sequence[Token], index: int) -> bool:
    """Whether a number, name or `name.name` ends at `index`, on which no call or subscript is looked up."""
    if tokens[index].kind not in (Kind.NAME, Kind.NUMBER):
        return False
    return not (index >= 2 and tokens[index - 1].text == "." and tokens[index - 2].kind is Kind.CLOSE)


def _is_simple_exponent(tokens: Sequence[Token], index: int) -> bool:
    """Whether a number or name, perhaps with a sign, begins at `index`, and no call or subscript follows.

    Like Black, this looks across keywords, so that the bracket in `a**b if [c]` counts as following.
    """
    if tokens[index].text in ("+", "-", "~"):
        index += 1
    if index >= len(tokens) or tokens[index].kind not in (Kind.NAME, Kind.NUMBER):
        return False
    for token in tokens[index:]:
        if token.kind is Kind.OPEN:
            return token.text == "{"
        if token.text in ("for", "await") or (token.kind is not Kind.NAME and token.text != "."):
            break
    return True
