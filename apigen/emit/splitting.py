"""Splits a line that is too long, as Black does: at its delimiters inside brackets, else at its last bracket."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from apigen.emit.expressions import COMMA, DOT, Syntax
from apigen.emit.lines import INDENT, Line
from apigen.emit.tokens import Kind, Role, Star, Token


class CannotSplit(Exception):
    """This way of splitting does not apply; another may."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A line cut at a pair of brackets, which end the head and start the tail."""

    head: Line
    body: Line
    tail: Line
    opening: Token
    closing: Token


class Splitter:
    """Splits lines to a width, with the syntax that may be used."""

    def __init__(self, width: int, syntax: Syntax) -> None:
        self._width = width
        self._syntax = syntax

    def split(self, line: Line, forced: bool = False) -> list[Line]:
        """The lines that `line` becomes. `forced` makes the most of optional parentheses."""
        if not line.exploded and not line.is_magic and line.printed_length <= self._width:
            return [line]
        for way in self._ways(line):
            try:
                return self._try(line, way, forced)
            except CannotSplit:
                continue
        return [line]

    def _ways(self, line: Line) -> list[str]:
        if line.starts_with("def") and not _has_magic_result(line) and not self._overflows_with_text(line):
            return ["left"]
        return ["delimiters", "right"] if line.inside else ["right"]

    def _try(self, line: Line, way: str, forced: bool) -> list[Line]:
        result: list[Line] = []
        text = line.text
        for part in self._apply(line, way, forced):
            if part.depth == line.depth and part.text == text:
                raise CannotSplit("nothing changed")
            result.extend(self.split(part, forced))
        if forced or way != "right" or not line.hidden or any(token.text for token in line.hidden):
            return result
        if self._fits(result[0]) or any(token.added or token.settled for token in line.tokens):
            return result
        return self._second_opinion(line) or result

    def _second_opinion(self, line: Line) -> list[Line] | None:
        """The line split with optional parentheses made real, if it fits then."""
        copy = Line(_copies(line.tokens), line.depth, line.inside)
        for token in line.tokens:
            token.settled = True
        result = self._try(copy, "right", True)
        return result if all(self._fits(part) for part in result) else None

    def _apply(self, line: Line, way: str, forced: bool) -> Iterable[Line]:
        if way == "left":
            return self._left(line)
        return self._right(line, forced) if way == "right" else self._at_delimiters(line)

    def _fits(self, line: Line) -> bool:
        return line.length <= self._width

    # --- at delimiters

    def _at_delimiters(self, line: Line) -> Iterator[Line]:
        """Break at every delimiter of the highest priority; a comma is added to the last of several items."""
        last = len(line.tokens) - 1
        priority = max((p for index, p in line.delimiters.items() if index != last), default=0)
        if not priority or (priority == DOT and line.count(DOT) == 1):
            raise CannotSplit("no delimiter")
        start = 0
        for index in range(last):
            if line.delimiters.get(index) == priority:
                yield Line(line.tokens[start : index + 1], line.depth, line.inside)
                start = index + 1
        rest = list(line.tokens[start:])
        if priority == COMMA and rest[-1].text != "," and self._may_end_in_comma(line):
            rest.append(_comma(rest[-1]))
        yield Line(rest, line.depth, line.inside)

    def _may_end_in_comma(self, line: Line) -> bool:
        ground = line.tokens[0].depth
        stars = {token.star for token in line.tokens if token.depth <= ground}
        return (Star.PARAMETER not in stars or Syntax.PARAMETER_COMMA in self._syntax) and (
            Star.ARGUMENT not in stars or Syntax.ARGUMENT_COMMA in self._syntax
        )

    # --- at the first bracket

    def _overflows_with_text(self, line: Line) -> bool:
        """Whether a function's result is annotated with something that starts with text and takes more than a line."""
        for index, token in enumerate(line.tokens[:-2]):
            if token.text == "->" and token.depth == line.tokens[0].depth:
                result = Line(line.tokens[index + 2 :], line.depth)
                return result.tokens[0].kind is Kind.STRING and not self._fits(result)
        return False

    def _left(self, line: Line) -> Iterator[Line]:
        """Split a function header at its parameters, or at its type parameters if there are no others."""
        for bracket in ("(", "["):
            opening = _first_opening(line, bracket)
            if opening is not None and opening.partner in line.tokens:
                parts = _parts(line, line.tokens.index(opening), line.tokens.index(opening.partner))
                _show(parts)
                yield from (parts.head, parts.body, parts.tail)
                return
        raise CannotSplit("no brackets")

    # --- at the last bracket

    def _right(self, line: Line, forced: bool) -> list[Line]:
        """Split at the last bracket that leaves a first line which fits; at the very last one if none does."""
        for omitted in self._trailers(line):
            result = self._at_last_bracket(line, forced, omitted)
            if self._fits(result[0]):
                return result
        return self._at_last_bracket(line, forced, frozenset())

    def _trailers(self, line: Line) -> Iterator[frozenset[Token]]:
        """Sets of closing brackets to pass over, more and more from the end of the line."""
        omitted: frozenset[Token] = frozenset()
        if not line.is_magic:
            yield omitted
        length = INDENT * line.depth
        opening: Token | None = None
        closing: Token | None = None
        inner: set[Token] = set()
        for index in range(len(line.tokens) - 1, -1, -1):
            token = line.tokens[index]
            length += token.size if index else token.size - token.space
            if length > self._width:
                return
            if opening is not None:
                if token is opening:
                    opening = None
                elif token.kind is Kind.CLOSE:
                    inner.add(token)
            elif token.kind is Kind.CLOSE:
                previous = line.tokens[index - 1] if index else None
                if previous is not None and previous.kind is Kind.OPEN:
                    inner.add(token)
                    continue
                if closing is not None:
                    omitted = omitted | {closing} | inner
                    inner.clear()
                    yield omitted
                if token.magic:
                    return
                if token.text:
                    opening, closing = token.partner, token

    def _at_last_bracket(self, line: Line, forced: bool, omitted: frozenset[Token]) -> list[Line]:
        return self._split_parts(_last_bracket(line, omitted), line, forced, omitted)

    def _split_parts(self, parts: Parts, line: Line, forced: bool, omitted: frozenset[Token]) -> list[Line]:
        """The three lines of `parts`; if its parentheses are optional and not worth it, those of the bracket before."""
        optional = not parts.opening.text and not parts.closing.text
        if optional and not forced and not line.starts_with("import", "from") and self._can_omit(parts):
            try:
                omitted = omitted | {parts.closing}
                other = _last_bracket(line, omitted)
                if self._prefers(other, parts):
                    return self._split_parts(other, line, forced, omitted)
            except CannotSplit:
                if _is_chained(line):
                    pass
                elif not parts.body.can_be_split and not self._fits(parts.body):
                    raise
        _show(parts)
        return [part for part in (parts.head, parts.body, parts.tail) if part.tokens]

    def _can_omit(self, parts: Parts) -> bool:
        """Whether the body may go without the optional parentheses around it."""
        body = parts.body
        if not body.delimiters:
            return True
        priority = max(body.delimiters.values())
        count = body.count(priority)
        if count > 1:
            return False
        if count == 1 and priority == COMMA and parts.head.starts_with("with"):
            return False
        if priority == DOT:
            return True
        first, second = body.tokens[:2]
        if first.kind is Kind.OPEN and second.kind is not Kind.CLOSE and self._fits_after(body, first):
            return True
        before_last, last = body.tokens[-2:]
        if last.kind is not Kind.CLOSE or (last.text == "]" and last.partner and last.partner.role is Role.SUBSCRIPT):
            return False
        return before_last.kind is not Kind.OPEN and self._fits_before(body, last)

    def _fits_after(self, line: Line, first: Token) -> bool:
        """Whether what follows the bracket pair that starts the line fits on a line of its own."""
        length = INDENT * line.depth
        counting = False
        for token in line.tokens:
            counting = counting or token.partner is first
            if counting:
                length += token.size
                if length > self._width:
                    return False
                if token.kind is Kind.OPEN:
                    counting = False
        return True

    def _fits_before(self, line: Line, last: Token) -> bool:
        """Whether what precedes the bracket pair that ends the line fits, or has brackets of its own."""
        length = INDENT * line.depth
        other_brackets = False
        for index, token in enumerate(line.tokens):
            length += token.size if index else token.size - token.space
            if token is last.partner:
                return other_brackets or length <= self._width
            other_brackets = other_brackets or token.kind is Kind.OPEN
        return False

    def _prefers(self, other: Parts, parts: Parts) -> bool:
        """Whether `other`, which goes without the optional parentheses, reads better than `parts`."""
        head = parts.head.tokens
        if not (len(head) >= 2 and head[-2].text == "="):
            return True
        if not any(token.kind in (Kind.OPEN, Kind.CLOSE) for token in head[:-1]):
            return True
        if parts.head.length > self._width - 1:
            return True
        if parts.head.is_magic:
            return True
        return self._prefers_by_value(other, parts)

    def _prefers_by_value(self, other: Parts, parts: Parts) -> bool:
        equals = _count_equals(parts.head)
        if equals > 1 and equals > _count_equals(other.head):
            return False
        for token in reversed(other.head.tokens):
            if token.text == "=":
                break
            if token.kind is Kind.CLOSE:
                return True
        return _count_equals(other.head) > 0 and self._fits(other.head)


def _last_bracket(line: Line, omitted: frozenset[Token]) -> Parts:
    """Cut a line at its last pair of brackets that is not to be passed over."""
    tokens = line.tokens
    for index in range(len(tokens) - 1, -1, -1):
        token = tokens[index]
        if token.kind is not Kind.CLOSE or token in omitted:
            continue
        opening = tokens.index(token.partner) if token.partner in tokens else -1
        if opening == index - 1:
            continue
        if opening < 0:
            break
        return _parts(line, opening, index)
    raise CannotSplit("no brackets")


def _parts(line: Line, opening: int, closing: int) -> Parts:
    tokens = line.tokens
    body_tokens = list(tokens[opening + 1 : closing])
    if _wants_comma(line, tokens[opening], body_tokens):
        body_tokens.append(_comma(body_tokens[-1]))
    body = Line(body_tokens, line.depth + 1, inside=True)
    body.explode_after(tokens[opening])
    head = Line(tokens[: opening + 1], line.depth)
    tail = Line(tokens[closing:], line.depth)
    return Parts(head, body, tail, tokens[opening], tokens[closing])


def _wants_comma(line: Line, opening: Token, body: Sequence[Token]) -> bool:
    """Whether a comma is added as soon as the bracket is split: imports, and single parameters."""
    if body[-1].text == ",":
        return False
    if line.starts_with("from", "import"):
        return True
    lone = opening.role is Role.PARAMETERS and opening.text == "("
    return lone and line.starts_with("def") and not any(token.priority == COMMA and not token.typed for token in body)


def _first_opening(line: Line, bracket: str) -> Token | None:
    for index, token in enumerate(line.tokens[:-1]):
        is_wanted = token.text == bracket or (bracket == "(" and token.optional)
        if token.kind is Kind.OPEN and is_wanted and line.tokens[index + 1] is not token.partner:
            return token
    return None


def _has_magic_result(line: Line) -> bool:
    """Whether a comma in the annotation of a function's result demands a split."""
    arrow = next((index for index, token in enumerate(line.tokens) if token.text == "->"), len(line.tokens))
    return any(token.magic for token in line.tokens[arrow:])


def _show(parts: Parts) -> None:
    """Make optional parentheses real."""
    parts.opening.text = parts.opening.text or "("
    parts.closing.text = parts.closing.text or ")"


def _is_chained(line: Line) -> bool:
    return _count_equals(line) > 1


def _count_equals(line: Line) -> int:
    return sum(token.text == "=" for token in line.tokens)


def _comma(after: Token) -> Token:
    return Token(Kind.OP, ",", priority=COMMA, depth=after.depth, added=True)


def _copies(tokens: Sequence[Token]) -> list[Token]:
    """The tokens anew, partners within them linked anew."""
    copies = {id(token): replace(token) for token in tokens}
    for copy in copies.values():
        if copy.partner is not None:
            copy.partner = copies.get(id(copy.partner), copy.partner)
    return list(copies.values())
