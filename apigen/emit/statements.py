"""Reads one statement, or the header of a compound one, and prepares it for the splitter."""

from __future__ import annotations

from collections.abc import Callable

from apigen.emit.reading import COMMA, KEEPING, TERNARY, UNION, Syntax
from apigen.emit.simple_statements import SimpleStatementReader
from apigen.emit.tokens import Kind, Role, Star, Token, UnsupportedSyntax


def read_statement(tokens: list[Token], syntax: Syntax) -> tuple[list[Token], Syntax]:
    """Read the tokens of one statement. Returns them ready for splitting, and the newer syntax that may be used.

    `syntax` is what may be used anyway; what the statement itself uses comes on top. Raises UnsupportedSyntax.
    """
    comment = _take_comment(tokens)
    reader = StatementReader(tokens, syntax)
    reader.statement()
    _measure_depths(reader.out)
    if comment:
        _attach(comment, reader.out)
    return reader.out, reader.syntax


def _take_comment(tokens: list[Token]) -> str:
    """Take the comment at the end, which is a token of its own or belongs to the last one."""
    comment = ""
    if tokens and tokens[-1].kind is Kind.COMMENT:
        comment = tokens.pop().text
    elif tokens:
        comment, tokens[-1].comment = tokens[-1].comment, ""
    if not tokens or any(token.kind is Kind.COMMENT for token in tokens):
        raise UnsupportedSyntax("nothing but a comment, or one inside the statement")
    return comment


def _measure_depths(tokens: list[Token]) -> None:
    depth = 0
    for token in tokens:
        if token.shelter < 0 or token.kind is Kind.CLOSE:
            depth -= 1
        token.depth = depth
        if token.shelter > 0 or token.kind is Kind.OPEN:
            depth += 1


def _attach(comment: str, tokens: list[Token]) -> None:
    """Give a comment to the last token; to the one before if that is an optional parenthesis around a single token."""
    last = tokens[-1]
    opening = last.partner
    is_alone = not last.text and opening is not None and opening.role is Role.DISPLAY and tokens[-3] is opening
    (tokens[-2] if is_alone and not comment.startswith("# type:") else last).comment = comment


class StatementReader(SimpleStatementReader):
    """One rule of the grammar per method, chosen by the first word; here those of the headers of compound statements."""

    def statement(self) -> None:
        """Read the statement to its end."""
        rule = self._rule()
        rule()
        if not self._is_over():
            raise UnsupportedSyntax(f"{self._token().text!r} is left over")

    def _rule(self) -> Callable[[], None]:
        self._skip("async")
        word = self._next
        if word in ("match", "case") and self._texts[-2] == ":" and self._token(1).text != ":":
            return self._match if word == "match" else self._case
        if word == "type" and self._token(1).kind is Kind.NAME:
            return self._type
        return self._rules().get(word, self._expression)

    def _rules(self) -> dict[str, Callable[[], None]]:
        return {
            "@": self._decorator,
            "assert": self._assert,
            "class": self._class,
            "def": self._def,
            "del": self._del,
            "elif": self._if,
            "except": self._except,
            "for": self._for,
            "from": self._from_import,
            "if": self._if,
            "raise": self._raise,
            "return": self._return,
            "while": self._if,
            "with": self._with,
            "yield": self._yield,
            **dict.fromkeys(("import", "global", "nonlocal"), self._names),
            **dict.fromkeys(("pass", "break", "continue", "else", "try", "finally"), self._word),
        }

    def _colon(self) -> None:
        self._expect(":")

    def _stub(self) -> None:
        """The colon of a class or function, and its body if that is `...`."""
        self._colon()
        self._skip("...")

    def _if(self) -> None:
        self._take()
        start = len(self.out)
        self._named()
        self._wrap(start, KEEPING - {":="})
        self._colon()

    def _for(self) -> None:
        self._take()
        start = len(self.out)
        self._target()
        keyword = self.out.pop()
        self._wrap(start, KEEPING - {COMMA})
        self.out.append(keyword)
        self._wrapped_list(KEEPING | {TERNARY, "lambda"})
        self._colon()

    def _except(self) -> None:
        self._take()
        if self._skip("*"):
            self.syntax |= Syntax.MODERN
        if self._next != ":":
            start = len(self.out)
            if self._list():
                self.syntax |= Syntax.MODERN
            self._wrap(start)
        if self._skip("as"):
            self._name()
        self._colon()

    def _with(self) -> None:
        self._take()
        start = len(self.out)
        if self._next == "(" and self._is_parenthesized_with():
            opening = self._open(Role.DISPLAY)
            self._managers()
            self._close(opening, ")")
            self._remove(start)
            if any(token.text == "as" for token in self.out[start:]):
                self.syntax |= Syntax.MODERN
        else:
            self._managers()
            if Syntax.PARENTHESIZED_WITH in self.syntax and not self._is_display(start):
                self._surround(start, Role.DISPLAY)
        self._colon()

    def _is_parenthesized_with(self) -> bool:
        """Whether the parenthesis at hand is around all managers."""
        depth = 0
        for token, following in zip(self._tokens[self._position :], self._texts[self._position + 1 :], strict=False):
            depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
            if depth == 0:
                return following == ":"
            if depth == 1 and token.text in ("for", "yield", ":="):
                return False
        return False

    def _managers(self) -> None:
        while self._next != ")":
            start = len(self.out)
            self._test()
            self._unwrap(start, KEEPING - {COMMA})
            if self._skip("as"):
                self._operand()
            elif len(self.out) == start + 1 and Syntax.PARENTHESIZED_WITH not in self.syntax:
                self._surround(start, Role.DISPLAY)
            if not self._comma():
                break

    def _match(self) -> None:
        self._take()
        self._list()
        self._colon()
        self.syntax |= Syntax.MODERN

    def _case(self) -> None:
        self._take()
        start = len(self.out)
        self._in_pattern = True
        self._list()
        self._in_pattern = False
        self._wrap(start)
        if self._skip("if"):
            start = len(self.out)
            self._named()
            self._wrap(start, KEEPING - {":="})
        self._colon()
        self.syntax |= Syntax.MODERN

    def _class(self) -> None:
        self._take()
        self._name()
        self._type_parameters()
        if self._next == "(":
            self._call()
        self._stub()

    def _def(self) -> None:
        self._take()
        self._name()
        self._type_parameters()
        self._parameters()
        if self._skip("->"):
            self._wrapped_test()
        self._stub()

    def _parameters(self) -> None:
        if self._next != "(":
            raise UnsupportedSyntax("a function without parameters")
        opening = self._open(Role.PARAMETERS)
        starred = False
        while self._next != ")":
            stars = self._parameter_name(Star.PARAMETER)
            starred |= stars in ("*", "**")
            if self._skip(":"):
                self._annotation(stars)
            if self._skip("="):
                self._test()
            if not self._comma():
                break
        if starred and self.out[-1].priority == COMMA:
            self.syntax |= Syntax.COMMAS
        self._close(opening, ")")

    def _annotation(self, stars: str) -> None:
        """What follows the colon. Black treats that of `*args` as no annotation."""
        if self._skip("*"):
            self._operation()
            self.syntax |= Syntax.MODERN
            return
        start = len(self.out)
        self._test()
        if stars == "*":
            return
        for token in self.out[start:]:
            token.typed = True
        if self._is_display(start) or self._is_union(start):
            self._wrap(start)

    def _is_display(self, start: int) -> bool:
        return self.out[start].role is Role.DISPLAY and self.out[start].partner is self.out[-1]

    def _is_union(self, start: int) -> bool:
        """Whether what was read since `start` is `A | B`; Black splits no other annotation of a parameter."""
        return max(token.priority for token in self._surface(start)) == UNION and self.out[start].text != "not"
