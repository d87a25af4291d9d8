"""Splits a line that is too long, as Black does: inside brackets at its delimiters, else at its last bracket."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from apigen.dataclass import dataclass, replace
from apigen.emit.lines import INDENT, Line
from apigen.emit.reading import COMMA, DOT, Syntax
from apigen.emit.tokens import Kind, Role, Star, Token


class CannotSplit(Exception):
    """This way of splitting does not apply; another may."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A line cut at a pair of brackets, which end the head and start the tail."""

    head: Line
    body: Line
    tail: Line

    @property
    def opening(self) -> Token:
        """The bracket that ends the head."""
        return self.head.tokens[-1]

    @property
    def closing(self) -> Token:
        """The bracket that starts the tail."""
        return self.tail.tokens[0]

    def lines(self) -> list[Line]:
        """The three lines, the brackets real."""
        for token, text in ((self.opening, "("), (self.closing, ")")):
            token.text = token.text or text
            token.size = 1
        return [self.head, self.body, self.tail]


class Splitter:
    """Splits lines to a width, with the syntax that may be used."""

    def __init__(self, width: int, syntax: Syntax) -> None:
        self._width = width
        self._syntax = syntax

    def split(self, line: Line, forced: bool = False) -> list[Line]:
        """The lines that `line` becomes. `forced` makes the most of optional parentheses."""
        if not line.exploded and not line.is_magic and self._fits_as_written(line):
            return [line]
        try:
            if line.starts_with("def") and not self._is_split_at_result(line):
                return self._split_parts(line, self._at_parameters(line), forced)
            if line.inside:
                try:
                    return self._split_parts(line, self._at_delimiters(line), forced)
                except CannotSplit:
                    pass
            return self._at_brackets(line, forced)
        except CannotSplit:
            return [line]

    def _split_parts(self, line: Line, parts: Iterable[Line], forced: bool) -> list[Line]:
        """The lines that the parts of a line become."""
        result: list[Line] = []
        for part in parts:
            if part.depth == line.depth and len(part.tokens) >= len(line.tokens) and part.text == line.text:
                raise CannotSplit("nothing changed")
            result.extend(self.split(part, forced))
        return result

    def _fits_as_written(self, line: Line) -> bool:
        return line.written_length <= self._width

    def _fits(self, line: Line) -> bool:
        """Whether a line that may be split further fits, which Black measures before it hugs power operators."""
        return line.length <= self._width

    # --- at delimiters

    def _at_delimiters(self, line: Line) -> Iterator[Line]:
        """Break at every delimiter of the highest priority; a comma is added to the last of several items."""
        last = len(line.tokens) - 1
        priority = max((p for index, p in line.delimiters.items() if index != last), default=0)
        if not priority or (priority == DOT and line.count(DOT) == 1):
            raise CannotSplit("no delimiter")
        start = 0
        for index in sorted(index for index, p in line.delimiters.items() if p == priority and index != last):
            yield Line(line.tokens[start : index + 1], line.depth, line.inside)
            start = index + 1
        rest = list(line.tokens[start:])
        if priority == COMMA and rest[-1].priority != COMMA and self._may_end_in_comma(line):
            rest.append(_comma(rest[-1]))
        yield Line(rest, line.depth, line.inside)

    def _may_end_in_comma(self, line: Line) -> bool:
        ground = line.tokens[0].depth
        stars = {token.star for token in line.tokens if token.star is not Star.NONE and token.depth <= ground}
        return (Star.PARAMETER not in stars or Syntax.PARAMETER_COMMA in self._syntax) and (
            Star.ARGUMENT not in stars or Syntax.ARGUMENT_COMMA in self._syntax
        )

    # --- function headers

    def _at_parameters(self, line: Line) -> list[Line]:
        """Split a function header at its parameters, or at its type parameters if there are no others."""
        for brackets in (("(", ""), ("[",)):
            for index, token in enumerate(line.tokens[:-1]):
                if token.kind is Kind.OPEN and token.text in brackets and line.tokens[index + 1] is not token.partner:
                    closing = _index(line.tokens, token.partner)
                    if closing is not None:
                        return _cut(line, index, closing).lines()
                    break
        raise CannotSplit("no brackets")

    def _is_split_at_result(self, line: Line) -> bool:
        """Whether a function's result is so long or commanding that it is split before the parameters are.

        A comma in front of a closing bracket commands; length counts where the annotation begins with text.
        """
        ground = line.tokens[0].depth
        for index, token in enumerate(line.tokens[:-2]):
            if token.text == "->" and token.depth == ground:
                result = Line(line.tokens[index + 2 :], line.depth)
                starts_with_text = result.tokens[0].kind is Kind.STRING
                return result.is_magic or (starts_with_text and result.length_without_comments > self._width)
        return False

    # --- at the last bracket

    def _at_brackets(self, line: Line, forced: bool) -> list[Line]:
        """Split at a bracket, perhaps twice: if no optional parentheses were used and that does not fit, with them."""
        optional = [token for token in line.tokens if token.kind is Kind.CLOSE and not token.text]
        result = self._split_parts(line, self._at_best_bracket(line, forced), forced)
        if forced or not optional or any(token.text for token in optional):
            return result
        if self._fits_as_written(result[0]) or any(token.settled for token in line.tokens):
            return result
        copy = Line(_copies(line.tokens), line.depth, line.inside)
        for token in line.tokens:
            token.settled = True
        second = self._split_parts(copy, self._at_best_bracket(copy, forced=True), forced=True)
        return second if all(map(self._fits_as_written, second)) else result

    def _at_best_bracket(self, line: Line, forced: bool) -> list[Line]:
        """Split at the last bracket that leaves a first line which fits; at the very last one if none does."""
        for omitted in self._trailers(line):
            result = self._at_bracket(line, _last_bracket(line, omitted), forced, omitted)
            if self._fits(result[0]):
                return result
        return self._at_bracket(line, _last_bracket(line, frozenset()), forced, frozenset())

    def _trailers(self, line: Line) -> Iterator[frozenset[Token]]:
        """Sets of closing brackets to pass over, more and more from the end of the line, as long as that fits."""
        omitted: frozenset[Token] = frozenset()
        if not line.is_magic:
            yield omitted
        length = INDENT * line.depth
        opening: Token | None = None
        closing: Token | None = None
        inner: list[Token] = []
        for index in range(len(line.tokens) - 1, -1, -1):
            token = line.tokens[index]
            length += token.size_with_comment
            if length - (0 if index else token.space) > self._width or token.comment:
                return
            if opening is not None:
                if token is opening:
                    opening = None
                elif token.kind is Kind.CLOSE:
                    inner.append(token)
            elif token.kind is Kind.CLOSE:
                if index and line.tokens[index - 1].kind is Kind.OPEN:
                    inner.append(token)
                    continue
                if closing is not None:
                    omitted = omitted.union(inner, (closing,))
                    inner.clear()
                    yield omitted
                if token.magic:
                    return
                if token.text:
                    opening, closing = token.partner, token

    def _at_bracket(self, line: Line, parts: Parts, forced: bool, omitted: frozenset[Token]) -> list[Line]:
        """The lines of `parts`; if its parentheses are optional and not worth it, those at the bracket before."""
        is_optional = not parts.opening.text and not parts.closing.text
        if is_optional and not forced and not line.starts_with("import", "from") and self._can_omit(parts):
            omitted = omitted | {parts.closing}
            try:
                other = _last_bracket(line, omitted)
                if self._prefers(other, parts):
                    return self._at_bracket(line, other, forced, omitted)
            except CannotSplit:
                if _equals(line) < 2 and not parts.body.can_be_split and not self._fits(parts.body):
                    raise
        return parts.lines()

    # --- optional parentheses

    def _can_omit(self, parts: Parts) -> bool:
        """Whether the body may go without the optional parentheses around it."""
        body = parts.body
        if not body.delimiters:
            return True
        priority = max(body.delimiters.values())
        count = body.count(priority)
        if count > 1 or (priority == COMMA and parts.head.starts_with("with")):
            return False
        if priority == DOT:
            return True
        first, second = body.tokens[:2]
        if first.kind is Kind.OPEN and second.kind is not Kind.CLOSE and self._fits_after(body, first):
            return True
        before_last, last = body.tokens[-2:]
        if last.kind is not Kind.CLOSE or (last.partner is not None and last.partner.role is Role.SUBSCRIPT):
            return False
        return before_last.kind is not Kind.OPEN and self._fits_before(body, last)

    def _fits_after(self, line: Line, first: Token) -> bool:
        """Whether what follows the bracket pair that starts the line fits, up to the next bracket."""
        length = INDENT * line.depth
        counting = False
        for token in line.tokens:
            counting = counting or token.partner is first
            if counting:
                length += token.size_with_comment
                if length > self._width:
                    return False
                if token.kind is Kind.OPEN:
                    counting = False
        return True

    def _fits_before(self, line: Line, last: Token) -> bool:
        """Whether what precedes the bracket pair that ends the line fits, or has brackets of its own."""
        length = INDENT * line.depth - line.tokens[0].space
        has_other = False
        for token in line.tokens:
            length += token.size_with_comment
            if token is last.partner:
                return has_other or length <= self._width
            has_other = has_other or token.kind is Kind.OPEN
        return False

    def _prefers(self, other: Parts, parts: Parts) -> bool:
        """Whether `other`, which goes without the optional parentheses of `parts`, reads better.

        It does unless the parentheses are those after the `=` of a target with brackets, and that line fits.
        """
        head = parts.head.tokens
        if len(head) < 2 or head[-2].text != "=":
            return True
        if not any(token.kind in (Kind.OPEN, Kind.CLOSE) for token in head[:-1]):
            return True
        if parts.head.length >= self._width or parts.head.is_magic:
            return True
        if _equals(parts.head) > max(1, _equals(other.head)):
            return False
        for token in reversed(other.head.tokens):
            if token.text == "=":
                break
            if token.kind is Kind.CLOSE:
                return True
        return _equals(other.head) > 0 and self._fits(other.head)


def _last_bracket(line: Line, omitted: frozenset[Token]) -> Parts:
    """Cut a line at its last pair of brackets that is not empty and not to be passed over."""
    tokens = line.tokens
    for index in range(len(tokens) - 1, -1, -1):
        token = tokens[index]
        if token.kind is not Kind.CLOSE or token in omitted or (index and tokens[index - 1] is token.partner):
            continue
        opening = _index(tokens, token.partner)
        if opening is not None:
            return _cut(line, opening, index)
        break
    raise CannotSplit("no brackets")


def _cut(line: Line, opening: int, closing: int) -> Parts:
    tokens = line.tokens
    between = list(tokens[opening + 1 : closing])
    if _wants_comma(line, tokens[opening], between):
        between.append(_comma(between[-1]))
    body = Line(between, line.depth + 1, inside=True)
    body.explode_after(tokens[opening])
    return Parts(Line(tokens[: opening + 1], line.depth), body, Line(tokens[closing:], line.depth))


def _wants_comma(line: Line, opening: Token, body: Sequence[Token]) -> bool:
    """Whether a comma is added as soon as the bracket is split: to imports, and to a parameter without company."""
    if body[-1].priority == COMMA:
        return False
    if line.starts_with("from", "import"):
        return True
    if not line.starts_with("def") or opening.role is not Role.PARAMETERS or opening.text != "(":
        return False
    return not any(token.priority == COMMA and not token.typed for token in body)


def _index(tokens: Sequence[Token], token: Token | None) -> int | None:
    return tokens.index(token) if token is not None and token in tokens else None


def _equals(line: Line) -> int:
    """How many `=` a line has. Like Black, this counts those of keyword arguments."""
    return sum(token.text == "=" for token in line.tokens)


def _comma(after: Token) -> Token:
    return Token(Kind.OP, ",", 0, 1, priority=COMMA, depth=after.depth, settled=True)


def _copies(tokens: Sequence[Token]) -> list[Token]:
    """The tokens anew, partners within them linked anew."""
    copies = {id(token): replace(token) for token in tokens}
    for copy in copies.values():
        if copy.partner is not None:
            copy.partner = copies.get(id(copy.partner), copy.partner)
    return list(copies.values())
