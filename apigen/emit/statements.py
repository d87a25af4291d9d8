"""Reads one statement, or the header of a compound one, and prepares it for the splitter."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apigen.emit.expressions import ARITHMETIC, COMMA, COMPREHENSION, TERNARY, UNION, ExpressionReader, Syntax
from apigen.emit.tokens import OPENING, Kind, Role, Star, Token, UnsupportedSyntax

_AUGMENTED = frozenset(("+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**="))

KEEPING: frozenset[int | str] = frozenset((COMMA, COMPREHENSION, ":=", "yield"))
"""What stays in parentheses where others would be removed."""


class StatementReader(ExpressionReader):
    """One rule of the grammar per method, chosen by the first word.

    Use `read_statement`, which also places the comment and measures depths.
    """

    def statement(self) -> None:
        """Read the statement to its end."""
        rule = self._rule()
        rule()
        if self._token().kind is not Kind.END:
            raise UnsupportedSyntax(f"{self._token().text!r} is left over")

    def _rule(self) -> Callable[[], None]:
        word = self._peek()
        if word == "async":
            self._take()
            word = self._peek()
        if word in ("match", "case") and self._tokens[-1].text == ":" and self._peek(1) != ":":
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
            "global": self._import,
            "if": self._if,
            "import": self._import,
            "nonlocal": self._import,
            "raise": self._raise,
            "return": self._return,
            "while": self._if,
            "with": self._with,
            "yield": self._yield,
            **dict.fromkeys(("pass", "break", "continue", "else", "try", "finally"), self._bare),
        }

    # --- optional parentheses

    def _wrap(self, start: int, keeping: frozenset[int | str] = KEEPING) -> None:
        """Make what was read since `start` splittable: its parentheses optional, or optional ones around it.

        `keeping` are the priorities and words that need the parentheses in which they stand.
        """
        first, last = self.out[start], self.out[-1]
        if first.partner is not last or first.role not in (Role.DISPLAY, Role.TERNARY) or first.text in ("[", "{"):
            self._surround(start, Role.DISPLAY)
        elif first.optional:
            first.role = Role.DISPLAY
        elif first.partner is not self.out[start + 1] and not keeping.intersection(self._marks(start + 1)):
            self._remove(start)

    def _marks(self, start: int) -> Iterator[int | str]:
        for token in self._surface(start):
            yield token.priority
            yield token.text

    def _remove(self, start: int) -> None:
        """Turn the parentheses that begin at `start` and end what was read into optional ones, and those right inside."""
        low, high = start, len(self.out) - 1
        while self.out[low].text == "(" and self.out[low].partner is self.out[high]:
            for token in (self.out[low], self.out[high]):
                token.text = ""
                token.optional = True
            low, high = low + 1, high - 1

    def _wrapped_test(self) -> None:
        start = len(self.out)
        self._test()
        self._wrap(start)

    def _wrapped_list(self, keeping: frozenset[int | str] = KEEPING) -> None:
        start = len(self.out)
        if self._peek() == "yield":
            self._yield()
        else:
            self._list()
        self._wrap(start, keeping)

    # --- simple statements

    def _bare(self) -> None:
        self._take()
        if self._peek() == ":":
            self._take()

    def _import(self) -> None:
        """`import`, `global` and `nonlocal`: nothing in them can be split."""
        while self._token().kind is not Kind.END:
            if not self._comma():
                self._take()

    def _from_import(self) -> None:
        future = self._peek(1) == "__future__"
        while self._peek() != "import":
            self._take()
        self._take()
        if self._peek() == "*":
            self._take()
            return
        start = len(self.out)
        if self._peek() == "(":
            opening = self._open(Role.IMPORT)
            self._imported(future)
            self._close(opening, ")")
            self._remove(start)
        else:
            self._imported(future)
            self._surround(start, Role.IMPORT)

    def _imported(self, future: bool) -> None:
        while self._token().kind is Kind.NAME:
            if future and self._peek() == "annotations":
                self.syntax |= Syntax.COMMAS
            self._name()
            if self._peek() == "as":
                self._take()
                self._name()
            if not self._comma():
                break

    def _return(self) -> None:
        self._take()
        if self._token().kind is not Kind.END:
            start = len(self.out)
            self._flow_list()
            self._wrap(start)

    def _raise(self) -> None:
        self._take()
        if self._token().kind is Kind.END:
            return
        self._test()
        if self._peek() == "from":
            self._take()
            self._test()

    def _assert(self) -> None:
        self._take()
        self._wrapped_test()
        if self._comma():
            self._wrapped_test()

    def _del(self) -> None:
        self._take()
        start = len(self.out)
        self._list()
        self._wrap(start)

    def _decorator(self) -> None:
        self._take()
        self._named()

    def _type(self) -> None:
        self._take()
        self._name()
        self._type_parameters()
        self._expect("=")
        self._test()
        self.syntax |= Syntax.MODERN

    def _expression(self) -> None:
        """An expression, an assignment in any form, or a declaration."""
        commas = self._list()
        if self._peek() == ":":
            self._take()
            self._wrapped_test()
            if self._peek() == "=":
                self._take()
                self._annotated_value()
        elif self._peek() in _AUGMENTED or self._peek() == "=":
            self._assigned_to(commas)
            while self._peek() in _AUGMENTED or self._peek() == "=":
                self._take()
                self._wrapped_list()
        elif not commas:
            self._wrap_arithmetic()

    def _wrap_arithmetic(self) -> None:
        """Black splits sums and the like even where nothing is done with their value, though no other expression."""
        priorities = [token.priority for token in self._surface(0)]
        if ARITHMETIC <= max(priorities) < UNION and self.out[0].text not in ("not", "lambda"):
            self._surround(0, Role.DISPLAY)

    def _annotated_value(self) -> None:
        start = len(self.out)
        if self._peek() != "yield":
            if self._list():
                self.syntax |= Syntax.COMMAS
        else:
            self._yield()
        self._wrap(start)

    def _assigned_to(self, commas: int) -> None:
        """The first target: a tuple may be split, and needs no parentheses."""
        if commas:
            self._surround(0, Role.DISPLAY)
        elif self.out[0].text == "(" and self.out[0].partner is self.out[-1]:
            self._wrap(0, KEEPING - {COMMA})

    # --- headers of compound statements

    def _colon(self) -> None:
        self._expect(":")

    def _stub(self) -> None:
        """The colon of a class or function, and its body if that is `...`."""
        self._colon()
        if self._peek() == "...":
            self._take()

    def _if(self) -> None:
        self._take()
        start = len(self.out)
        self._named()
        self._wrap(start, KEEPING - {":="})
        self._colon()

    def _for(self) -> None:
        self._take()
        start = self._target()
        keyword = self.out.pop()
        self._wrap(start, KEEPING - {COMMA})
        self.out.append(keyword)
        self._wrapped_list(KEEPING | {TERNARY, "lambda"})
        self._colon()

    def _except(self) -> None:
        self._take()
        if self._peek() == "*":
            self._take()
            self.syntax |= Syntax.MODERN
        if self._peek() != ":":
            self._wrapped_list()
        if self._peek() == "as":
            self._take()
            self._name()
        self._colon()

    def _with(self) -> None:
        self._take()
        start = len(self.out)
        if self._peek() == "(" and self._is_parenthesized_with():
            opening = self._open(Role.DISPLAY)
            self._managers()
            self._close(opening, ")")
            self._remove(start)
        else:
            self._managers()
            if Syntax.PARENTHESIZED_WITH in self.syntax and self.out[start].kind is not Kind.OPEN:
                self._surround(start, Role.DISPLAY)
        self._colon()

    def _is_parenthesized_with(self) -> bool:
        """Whether the parenthesis at hand is around all managers."""
        depth = 0
        for index in range(self._position, len(self._tokens)):
            token = self._tokens[index]
            depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
            if depth == 0:
                return self._tokens[index + 1 : index + 2] == [] or self._tokens[index + 1].text == ":"
            if depth == 1 and token.text in ("for", "yield", ":="):
                return False
        return False

    def _managers(self) -> None:
        while self._peek() != ")":
            start = len(self.out)
            self._test()
            self._unwrap_manager(start)
            if self._peek() == "as":
                self._take()
                self._operand()
            elif len(self.out) == start + 1 and Syntax.PARENTHESIZED_WITH not in self.syntax:
                self._surround(start, Role.DISPLAY)
            if not self._comma():
                break

    def _unwrap_manager(self, start: int) -> None:
        first = self.out[start]
        if first.text == "(" and first.partner is self.out[-1]:
            self._wrap(start, KEEPING - {COMMA})

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
        if self._peek() == "if":
            self._take()
            start = len(self.out)
            self._named()
            self._wrap(start, KEEPING - {":="})
        self._colon()
        self.syntax |= Syntax.MODERN

    def _class(self) -> None:
        self._take()
        self._name()
        self._type_parameters()
        if self._peek() == "(":
            self._call()
        self._stub()

    def _def(self) -> None:
        self._take()
        self._name()
        self._type_parameters()
        self._parameters()
        if self._peek() == "->":
            self._take()
            self._wrapped_test()
        self._stub()

    def _type_parameters(self) -> None:
        if self._peek() != "[":
            return
        self.syntax |= Syntax.MODERN
        opening = self._open(Role.PARAMETERS)
        while self._peek() != "]":
            self._parameter_name(Star.NONE)
            for sign in ":=":
                if self._peek() == sign:
                    self._take()
                    self._test()
            if not self._comma():
                break
        self._close(opening, "]")

    def _parameters(self) -> None:
        opening = self._open(Role.PARAMETERS)
        starred = False
        while self._peek() != ")":
            stars = self._parameter_name(Star.PARAMETER)
            starred |= stars in ("*", "**")
            if self._peek() == ":":
                self._annotation(stars)
            if self._peek() == "=":
                self._take()
                self._test()
            if not self._comma():
                break
        if starred and self.out[-1].text == ",":
            self.syntax |= Syntax.COMMAS
        self._close(opening, ")")

    def _annotation(self, stars: str) -> None:
        """What follows the colon. Black treats that of `*args` as no annotation."""
        self._take()
        start = len(self.out)
        if self._peek() == "*":
            self._star()
            self.syntax |= Syntax.MODERN
            return
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
        priorities = [token.priority for token in self._surface(start)]
        return max(priorities) == UNION and self.out[start].text != "not"


def read_statement(tokens: list[Token], syntax: Syntax) -> tuple[list[Token], Syntax]:
    """Read the tokens of one statement. Returns them ready for splitting, and the newer syntax that may be used.

    `syntax` is what may be used anyway; what the statement itself uses comes on top. Raises UnsupportedSyntax.
    """
    comment = tokens.pop() if tokens and tokens[-1].kind is Kind.COMMENT else None
    if any(token.kind is Kind.COMMENT for token in tokens) or not tokens:
        raise UnsupportedSyntax("a comment stands inside the statement, or nothing else does")
    reader = StatementReader(tokens, syntax)
    reader.statement()
    _measure_depths(reader.out)
    if comment:
        _attach(comment, reader.out)
    return reader.out, reader.syntax


def _measure_depths(tokens: list[Token]) -> None:
    depth = 0
    for token in tokens:
        if token.unshelters or token.kind is Kind.CLOSE:
            depth -= 1
        token.depth = depth
        if token.shelters or token.kind is Kind.OPEN:
            depth += 1


def _attach(comment: Token, tokens: list[Token]) -> None:
    """Give a comment to the last token; to the one before if that is an optional parenthesis around a single token."""
    last = tokens[-1]
    alone = last.optional and not last.text and len(tokens) > 2 and tokens[-3] is last.partner
    (tokens[-2] if alone else last).comment = comment.text


__all__ = ["OPENING", "read_statement"]
