"""A line of output in the making: a run of tokens at some depth, and the questions that splitting asks about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apigen.emit.expressions import COMMA
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
    """

    __slots__ = ("delimiters", "depth", "exploded", "hidden", "inside", "tokens")

    def __init__(self, tokens: Sequence[Token], depth: int, inside: bool = False) -> None:
        self.tokens = tokens
        self.depth = depth
        self.inside = inside
        self.exploded = False
        self.delimiters = _delimiters(tokens)
        self.hidden = [token for token in tokens if token.kind is Kind.CLOSE and not token.text]

    @property
    def text(self) -> str:
        """The line without its indentation."""
        return "".join(" " * space + token.text for space, token in zip(self.spaces(), self.tokens)) + self.comments

    def spaces(self) -> Iterator[int]:
        """The blanks in front of each token, as written: none around a power operator, if it does not start the line."""
        yield 0
        first = self.tokens[0]
        for index, token in enumerate(self.tokens[1:]):
            yield 0 if token.hugged and (index or not first.hugged) else token.space

    @property
    def comments(self) -> str:
        """The comments of its tokens, to be put at its end."""
        return "".join(f"  {token.comment}" for token in self.tokens if token.comment)

    @property
    def length(self) -> int:
        """Columns, with blanks around power operators."""
        size = sum(token.size for token in self.tokens) - self.tokens[0].space
        return INDENT * self.depth + size + columns(self.comments)

    @property
    def printed_length(self) -> int:
        """Columns, as it would be written."""
        return self.length - sum(token.hugged for token in self.tokens[1:])

    @property
    def is_magic(self) -> bool:
        """Whether a comma in front of a closing bracket demands a split."""
        return any(token.magic for token in self.tokens[1:])

    @property
    def can_be_split(self) -> bool:
        """Whether it is worth trying; False is certain, True is not."""
        tokens = self.tokens
        if len(tokens) < 2:
            return False
        if tokens[0].kind is Kind.STRING and tokens[1].text == ".":
            return _splittable_call_on_text(tokens)
        return True

    def count(self, priority: int) -> int:
        """How many breaks of a priority it has."""
        return sum(1 for found in self.delimiters.values() if found == priority)

    def starts_with(self, *words: str) -> bool:
        """Whether it starts a statement with one of the words, `async` or not."""
        first = self.tokens[0]
        if first.text == "async" and len(self.tokens) > 1:
            first = self.tokens[1]
        return first.kind is Kind.NAME and first.text in words

    def explode_after(self, opening: Token) -> None:
        """Note whether it, being the body of a bracket, has to go onto several lines."""
        delimiters = dict(self.delimiters)
        last = len(self.tokens) - 1
        trailing = self.tokens[last].text == "," and self.tokens[last].kind is Kind.OP
        if trailing:
            delimiters.pop(last, None)
        if delimiters and max(delimiters.values()) == COMMA:
            self.exploded = trailing or opening.role in (Role.DISPLAY, Role.IMPORT)


def _delimiters(tokens: Sequence[Token]) -> dict[int, int]:
    ground = tokens[0].depth if tokens else 0
    found: dict[int, int] = {}
    for index, token in enumerate(tokens):
        priority = token.priority
        if not priority or token.depth > ground:
            continue
        place = index if priority == COMMA else index - 1
        if place >= 0 and priority > found.get(place, 0):
            found[place] = priority
    return found


def _splittable_call_on_text(tokens: Sequence[Token]) -> bool:
    """Whether a chain of calls on a string literal has anything but a single call without arguments worth a split."""
    calls = dots = 0
    following = tokens[-1]
    for token in reversed(tokens[:-1]):
        if token.kind is Kind.OPEN:
            if following.kind is not Kind.CLOSE:
                return False
            calls += 1
        elif token.text == ".":
            dots += 1
        elif token.kind is Kind.NAME:
            if not (following.text == "." or following.kind is Kind.OPEN):
                return False
        elif token.kind is not Kind.CLOSE:
            return False
        if dots > 1 and calls > 1:
            return False
        following = token
    return True
