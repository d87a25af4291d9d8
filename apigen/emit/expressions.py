"""Reads expressions: says of every token what it is to the splitter, and adds the parentheses that it may use."""

from __future__ import annotations

from collections.abc import Callable

from apigen.emit.reading import (
    ARITHMETIC,
    COMMA,
    COMPARISON,
    COMPREHENSION,
    DOT,
    EXCLUSION,
    INTERSECTION,
    LOGIC,
    POWER,
    SHIFT,
    STRING,
    TERM,
    TERNARY,
    UNION,
    Syntax,
    TokenReader,
)
from apigen.emit.tokens import Kind, Role, Star

_BINARY = {
    "or": LOGIC,
    "and": LOGIC,
    "in": COMPARISON,
    "is": COMPARISON,
    "not": COMPARISON,
    **dict.fromkeys(("<", ">", "==", "!=", "<=", ">="), COMPARISON),
    "|": UNION,
    "^": EXCLUSION,
    "&": INTERSECTION,
    **dict.fromkeys(("<<", ">>"), SHIFT),
    **dict.fromkeys("+-", ARITHMETIC),
    **dict.fromkeys(("*", "/", "//", "%", "@"), TERM),
    "**": POWER,
}
_PREFIX = frozenset(("not", "+", "-", "~", "await"))


class ExpressionReader(TokenReader):
    """One rule of the grammar of expressions per method."""

    def _test(self) -> None:
        """One expression without walrus or star: a ternary, a lambda, or what they are made of."""
        if self._next == "lambda":
            self._lambda()
            return
        start = len(self.out)
        self._operation()
        if self._in_pattern:
            if self._skip("as"):
                self._name()
            return
        if self._next != "if":
            return
        self._take(TERNARY)
        self._operation()
        self._expect("else", TERNARY)
        self._descend()
        self._test()
        self._nesting -= 1
        alone = start > 0 and self.out[start - 1].text == "(" and self._next == ")"
        if not alone:
            self._surround(start, Role.TERNARY)

    def _named(self) -> None:
        """An expression, perhaps `name := value`."""
        self._test()
        if self._skip(":="):
            self._test()
            self.syntax |= Syntax.COMMAS

    def _operation(self) -> None:
        """Operands with operators between them. What binds tighter does not matter, as each operator has its priority."""
        self._operand()
        while priority := _BINARY.get(self._next, 0):
            if self._next == "not" and self._texts[self._position + 1] != "in":
                return
            operator = self._take(priority).text
            if operator == "**":
                self.out[-1].space = self._token().space = 1
            elif (operator, self._next) in (("not", "in"), ("is", "not")):
                self._take()
            self._operand()

    def _operand(self) -> None:
        while self._next in _PREFIX:
            self._take()
        self._atom()
        while True:
            if self._next == ".":
                self._take(DOT if self.out[-1].kind is Kind.CLOSE else 0)
                self._name()
            elif self._next == "(":
                self._call()
            elif self._next == "[":
                self._subscript()
            else:
                return

    def _atom(self) -> None:
        kind = self._tokens[self._position].kind
        if kind is Kind.NAME:
            self._name()
        elif kind is Kind.STRING:
            self._strings()
        elif kind is Kind.NUMBER:
            if "_" in self._take().text:
                self.syntax |= Syntax.COMMAS
        elif self._next == "(":
            self._parentheses()
        elif self._next == "[":
            self._display("]", self._element)
        elif self._next == "{":
            self._display("}", self._entry)
        else:
            self._expect("...")

    def _strings(self) -> None:
        priority = 0
        while self._tokens[self._position].kind is Kind.STRING:
            prefix = self._take(priority).text.partition('"')[0].partition("'")[0].lower()
            priority = STRING
            if "f" in prefix:
                self.syntax |= Syntax.COMMAS
            elif "t" in prefix:
                self.syntax |= Syntax.MODERN

    # --- brackets

    def _parentheses(self) -> None:
        """A tuple, a generator, or an expression in parentheses."""
        start = len(self.out)
        opening = self._open(Role.DISPLAY)
        if self._next == "yield":
            self._yield()
        elif self._next != ")":
            self._items(self._element, ")")
        self._close(opening, ")")
        self._excuse_single(start)

    def _excuse_single(self, start: int) -> None:
        """The comma of a tuple of one item, in the bracket that began at `start`, is no wish to see it split."""
        if self.out[-1].magic:
            self.out[-1].magic = sum(token.priority == COMMA for token in self._surface(start + 1)) > 1

    def _display(self, closing: str, item: Callable[[], None]) -> None:
        opening = self._open(Role.DISPLAY)
        start = len(self.out)
        if self._next != closing:
            self._items(item, closing)
            self._unwrap(start)
        self._close(opening, closing)

    def _items(self, item: Callable[[], None], closing: str) -> None:
        """Items with commas between them, or one and the loops of a comprehension."""
        item()
        if self._next in ("for", "async"):
            self._loops()
            return
        while self._comma() and self._next != closing:
            item()

    def _element(self) -> None:
        if self._skip("*"):
            self._operation()
        else:
            self._named()

    def _entry(self) -> None:
        """An entry of a dict or set."""
        if self._skip("**"):
            self._operation()
            return
        self._element()
        if self._skip(":"):
            self._test()

    def _loops(self) -> None:
        """`for … in … if …`, as often as it comes."""
        while self._next in ("for", "async", "if"):
            if self._skip("if"):
                self.out[-1].priority = COMPREHENSION
                self._condition()
                continue
            is_async = self._next == "async"
            if is_async:
                self._take(COMPREHENSION)
            self._expect("for", 0 if is_async else COMPREHENSION)
            self._target()
            self._operation()

    def _condition(self) -> None:
        if self._next == "lambda":
            self._lambda()
        else:
            self._operation()

    def _target(self) -> None:
        """What a loop assigns to, up to and with `in`."""
        self.out[-1].shelter = 1
        while True:
            self._skip("*")
            self._operand()
            if not self._comma() or self._next == "in":
                break
        self._expect("in").shelter = -1

    def _lambda(self) -> None:
        self._take().shelter = 1
        while self._next != ":":
            self._parameter_name(Star.NONE)
            if self._skip("="):
                self._test()
            if not self._comma():
                break
        self._expect(":").shelter = -1
        self._descend()
        self._test()
        self._nesting -= 1

    def _parameter_name(self, star: Star) -> str:
        """A parameter's name with its stars, or a bare `*` or `/`. Returns the stars."""
        stars = self._next
        if stars not in ("*", "**", "/"):
            self._name()
            return ""
        self._take().star = star
        if stars == "/":
            self.syntax |= Syntax.COMMAS
        if self._token().kind is Kind.NAME:
            self._name()
        return stars

    def _call(self) -> None:
        opening = self._open(Role.CALL)
        starred = False
        while self._next != ")":
            starred |= self._next in ("*", "**")
            self._argument()
            if self._next in ("for", "async"):
                self._loops()
            if not self._comma():
                break
        if starred and self.out[-1].priority == COMMA:
            self.syntax |= Syntax.ARGUMENT_COMMA
        self._close(opening, ")")

    def _argument(self) -> None:
        if self._next in ("*", "**"):
            self._take().star = Star.ARGUMENT
            self._test()
        elif self._texts[self._position + 1 : self._position + 2] == ["="]:
            self._name()
            self._take()
            self._test()
        else:
            self._named()

    def _subscript(self) -> None:
        start = len(self.out)
        opening = self._open(Role.SUBSCRIPT)
        self._items(self._slice, "]")
        self._close(opening, "]")
        self._excuse_single(start)

    def _slice(self) -> None:
        if self._skip("*"):
            self._operation()
            self.syntax |= Syntax.MODERN
            return
        if self._next != ":":
            self._named()
        while self._skip(":"):
            if self._next not in (":", ",", "]"):
                self._test()

    # --- without brackets

    def _yield(self) -> None:
        self._take()
        if self._skip("from"):
            self._test()
        elif not self._is_over() and self._next not in (")", "="):
            self._flow_list()

    def _flow_list(self) -> None:
        """What `return` and `yield` hand over."""
        start = len(self.out)
        self._list()
        if any(token.text == "*" and not token.priority for token in self._surface(start)):
            self.syntax |= Syntax.COMMAS

    def _list(self) -> int:
        """Expressions with commas between them and no brackets around. Returns how many commas there were."""
        commas = 0
        while True:
            self._element()
            if not self._comma():
                break
            commas += 1
            if self._is_over() or self._next in ("=", ":", ")", "in", "if"):
                break
        return commas
