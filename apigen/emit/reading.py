"""The reader's tools: tokens taken in order, brackets matched, and the parentheses that the splitter may use."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Flag, auto

from apigen.emit.tokens import Kind, Role, Token, UnsupportedSyntax

# How readily a line is broken in front of a token (of a comma: behind it). Only the order matters.
COMPREHENSION = 20
COMMA = 18
TERNARY = 16
LOGIC = 14
STRING = 12
COMPARISON = 10
UNION = 9
EXCLUSION = 8
INTERSECTION = 7
SHIFT = 6
ARITHMETIC = 5
TERM = 4
POWER = 2
DOT = 1

KEYWORDS = frozenset(
    "and as assert async await break class continue def del elif else except finally for from global if import in is"
    " lambda nonlocal not or pass raise return try while with yield".split()
)

MAX_NESTING = 60
"""How deep expressions may be nested: what reads and splits them is recursive, and may be called from anywhere."""

KEEPING: frozenset[int | str] = frozenset((COMMA, COMPREHENSION, ":=", "yield"))
"""What stays in parentheses where others would be removed."""


class Syntax(Flag):
    """Which newer syntax a text uses, or may use; Black takes a text for as old as it can be."""

    OLD = 0
    PARAMETER_COMMA = auto()
    """A comma may follow a last starred parameter (3.6)."""
    ARGUMENT_COMMA = auto()
    """A comma may follow a last starred argument (3.5)."""
    PARENTHESIZED_WITH = auto()
    """The managers of a `with` may stand in parentheses (3.9)."""
    COMMAS = PARAMETER_COMMA | ARGUMENT_COMMA
    MODERN = COMMAS | PARENTHESIZED_WITH


class TokenReader:
    """Moves tokens from the text to `out`, in order.

    Attributes:
        out: what has been read, optional parentheses included.
        syntax: the newer syntax that may be used: what was given, and what was met.
    """

    def __init__(self, tokens: list[Token], syntax: Syntax) -> None:
        self.out: list[Token] = []
        self.syntax = syntax
        self._tokens = [*tokens, Token(Kind.END, "", 0, 0)]
        # A string literal has no text here, so that none is taken for the keyword or sign that it holds.
        self._texts = ["" if token.kind is Kind.STRING else token.text for token in self._tokens]
        self._position = 0
        self._next = self._texts[0]
        self._nesting = 0
        self._in_pattern = False

    # --- tokens

    def _token(self, ahead: int = 0) -> Token:
        return self._tokens[min(self._position + ahead, len(self._tokens) - 1)]

    def _is_over(self) -> bool:
        return self._position == len(self._tokens) - 1

    def _take(self, priority: int = 0) -> Token:
        token = self._tokens[self._position]
        if token.kind is Kind.END:
            raise UnsupportedSyntax("the statement ends early")
        self._position += 1
        self._next = self._texts[self._position]
        token.priority = priority
        self.out.append(token)
        return token

    def _expect(self, text: str, priority: int = 0) -> Token:
        if self._next != text:
            raise UnsupportedSyntax(f"{self._next!r} instead of {text!r}")
        return self._take(priority)

    def _skip(self, text: str) -> bool:
        """Take the token if it is `text`. Returns whether it was."""
        if self._next != text:
            return False
        self._take()
        return True

    def _name(self) -> Token:
        if self._tokens[self._position].kind is not Kind.NAME or self._next in KEYWORDS:
            raise UnsupportedSyntax(f"{self._next!r} is no name")
        return self._take()

    def _comma(self) -> bool:
        if self._next != ",":
            return False
        self._take(COMMA)
        return True

    def _open(self, role: Role) -> Token:
        opening = self._take()
        opening.role = role
        self._descend()
        return opening

    def _close(self, opening: Token, closing: str) -> None:
        is_magic = self.out[-1].priority == COMMA
        token = self._expect(closing)
        self._nesting -= 1
        token.partner, opening.partner = opening, token
        token.magic = is_magic

    def _descend(self) -> None:
        self._nesting += 1
        if self._nesting > MAX_NESTING:
            raise UnsupportedSyntax("nested too deeply")

    # --- optional parentheses

    def _surround(self, start: int, role: Role) -> None:
        """Put optional parentheses around what has been read since `start`."""
        first = self.out[start]
        opening = Token(Kind.OPEN, "", first.space, 0, role=role)
        closing = Token(Kind.CLOSE, "", 0, 0, partner=opening)
        opening.partner = closing
        first.space = 0
        self.out.insert(start, opening)
        self.out.append(closing)

    def _wrap(self, start: int, keeping: frozenset[int | str] = KEEPING) -> None:
        """Make what was read since `start` splittable: its parentheses optional, or optional ones around it.

        `keeping` are the priorities and words that need the parentheses in which they stand.
        """
        first = self.out[start]
        if (
            first.partner is not self.out[-1]
            or first.role not in (Role.DISPLAY, Role.TERNARY)
            or first.text in ("[", "{")
        ):
            self._surround(start, Role.DISPLAY)
        elif not first.text:
            first.role = Role.DISPLAY
        else:
            self._unwrap(start, keeping)

    def _unwrap(self, start: int, keeping: frozenset[int | str] = KEEPING) -> None:
        """Make parentheses around all that was read since `start` optional, unless what is in them needs them."""
        first, last = self.out[start], self.out[-1]
        if first.text != "(" or first.partner is not last or self.out[start + 1] is last:
            return
        if not keeping.intersection(self._marks(start + 1)):
            self._remove(start)

    def _remove(self, start: int) -> None:
        """Turn the parentheses that begin at `start` and end what was read into optional ones, and those right inside."""
        low, high = start, len(self.out) - 1
        while self.out[low].text == "(" and self.out[low].partner is self.out[high]:
            for token in (self.out[low], self.out[high]):
                token.text = ""
                token.size = 0
            low, high = low + 1, high - 1

    def _marks(self, start: int) -> Iterator[int | str]:
        for token in self._surface(start):
            yield token.priority
            yield token.text

    def _surface(self, start: int) -> Iterator[Token]:
        """The tokens since `start` that stand in no bracket, loop target or lambda parameters; brackets included."""
        depth = 0
        for token in self.out[start:]:
            depth -= token.kind is Kind.CLOSE or token.shelter < 0
            if depth == 0:
                yield token
            depth += token.kind is Kind.OPEN or token.shelter > 0
