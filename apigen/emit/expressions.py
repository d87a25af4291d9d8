"""Reads expressions: says of every token what it is to the splitter, and adds the parentheses that it may use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Flag, auto

from apigen.emit.tokens import Kind, Role, Star, Token, UnsupportedSyntax

COMPREHENSION, COMMA, TERNARY, LOGIC, STRING, COMPARISON, UNION, ARITHMETIC, DOT = 20, 18, 16, 14, 12, 10, 9, 5, 1

_BINARY = {
    "or": LOGIC,
    "and": LOGIC,
    "in": COMPARISON,
    "is": COMPARISON,
    "not": COMPARISON,
    **dict.fromkeys(("<", ">", "==", "!=", "<=", ">="), COMPARISON),
    "|": UNION,
    "^": 8,
    "&": 7,
    **dict.fromkeys(("<<", ">>"), 6),
    **dict.fromkeys("+-", ARITHMETIC),
    **dict.fromkeys(("*", "/", "//", "%", "@"), 4),
    "**": 2,
}
_PREFIX = frozenset(("not", "+", "-", "~", "await"))
_KEYWORDS = frozenset(
    "and as assert async await break class continue def del elif else except finally for from global if import in is"
    " lambda nonlocal not or pass raise return try while with yield".split()
)
_END = Token(Kind.END, "")


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


class ExpressionReader:
    """Moves tokens from the text to `out`, in order, one method per rule of the grammar.

    Attributes:
        out: what has been read, optional parentheses included.
        syntax: the newer syntax that may be used: what was given, and what was met.
    """

    def __init__(self, tokens: list[Token], syntax: Syntax) -> None:
        self._tokens = tokens
        self._position = 0
        self.out: list[Token] = []
        self.syntax = syntax
        self._in_pattern = False

    # --- tokens

    def _peek(self, ahead: int = 0) -> str:
        """The text of a token to come; that of a string literal or at the end is empty."""
        token = self._token(ahead)
        return "" if token.kind is Kind.STRING else token.text

    def _token(self, ahead: int = 0) -> Token:
        index = self._position + ahead
        return self._tokens[index] if index < len(self._tokens) else _END

    def _take(self, priority: int = 0) -> Token:
        if self._position >= len(self._tokens):
            raise UnsupportedSyntax("the statement ends early")
        token = self._tokens[self._position]
        self._position += 1
        token.priority = priority
        self.out.append(token)
        return token

    def _expect(self, text: str) -> Token:
        if self._peek() != text:
            raise UnsupportedSyntax(f"{self._peek()!r} instead of {text!r}")
        return self._take()

    def _name(self) -> Token:
        if self._token().kind is not Kind.NAME or self._peek() in _KEYWORDS:
            raise UnsupportedSyntax(f"{self._peek()!r} is no name")
        return self._take()

    def _comma(self) -> bool:
        if self._peek() != ",":
            return False
        self._take(COMMA)
        return True

    def _open(self, role: Role) -> Token:
        opening = self._take()
        opening.role = role
        return opening

    def _close(self, opening: Token, closing: str) -> None:
        magic = len(self.out) > 1 and self.out[-1].text == "," and self.out[-1].kind is Kind.OP
        token = self._expect(closing)
        token.partner, opening.partner = opening, token
        token.magic = magic

    def _surround(self, start: int, role: Role) -> None:
        """Put optional parentheses around what has been read since `start`."""
        first = self.out[start]
        opening = Token(Kind.OPEN, "", first.space, role=role, optional=True)
        closing = Token(Kind.CLOSE, "", partner=opening, optional=True)
        opening.partner = closing
        first.space = 0
        self.out.insert(start, opening)
        self.out.append(closing)

    # --- expressions

    def _test(self) -> None:
        """One expression without walrus or star: a ternary, a lambda, or what they are made of."""
        start = len(self.out)
        if self._peek() == "lambda":
            self._lambda()
            return
        self._operation()
        if self._in_pattern:
            self._alias()
            return
        if self._peek() != "if":
            return
        self._take(TERNARY)
        self._operation()
        self._expect("else").priority = TERNARY
        self._test()
        alone = start > 0 and self.out[start - 1].text == "(" and self._peek() == ")"
        if not alone:
            self._surround(start, Role.TERNARY)

    def _alias(self) -> None:
        """`as name` behind a pattern."""
        if self._peek() == "as":
            self._take()
            self._name()

    def _named(self) -> bool:
        """An expression, perhaps `name := value`. Returns whether it was."""
        self._test()
        if self._peek() != ":=":
            return False
        self._take()
        self._test()
        self.syntax |= Syntax.COMMAS
        return True

    def _operation(self) -> None:
        """Operands with operators between them. What binds tighter does not matter, as each operator has its priority."""
        self._operand()
        while (priority := _BINARY.get(self._peek(), 0)) and self._continues():
            operator = self._take(priority)
            if operator.text == "**":
                self._unhug(operator)
            elif (operator.text, self._peek()) in (("not", "in"), ("is", "not")):
                self._take()
            self._operand()

    def _continues(self) -> bool:
        """Whether the operator at hand is one. `in` ends a loop's target, which is read by `_target`."""
        return self._peek() != "not" or self._peek(1) == "in"

    def _unhug(self, operator: Token) -> None:
        """Count blanks around a power operator, printed or not, as Black does when it measures."""
        if self._position >= len(self._tokens):
            raise UnsupportedSyntax("an operand is missing")
        for token in (operator, self._token()):
            token.hugged = token.hugged or not token.space
            token.space = 1

    def _operand(self) -> None:
        while self._peek() in _PREFIX:
            self._take()
        self._atom()
        while True:
            match self._peek():
                case ".":
                    self._take(DOT if self.out[-1].kind is Kind.CLOSE else 0)
                    self._name()
                case "(":
                    self._call()
                case "[":
                    self._subscript()
                case _:
                    return

    def _atom(self) -> None:
        token = self._token()
        if token.kind is Kind.STRING:
            self._strings()
        elif token.kind is Kind.NUMBER:
            self._take()
            self.syntax |= Syntax.COMMAS if "_" in token.text else Syntax.OLD
        elif token.text == "(":
            self._parentheses()
        elif token.text == "[":
            self._display("]", self._element)
        elif token.text == "{":
            self._display("}", self._entry)
        elif token.text == "...":
            self._take()
        else:
            self._name()

    def _strings(self) -> None:
        priority = 0
        while self._token().kind is Kind.STRING:
            prefix = self._take(priority).text[:2].lower().partition('"')[0].partition("'")[0]
            priority = STRING
            self.syntax |= Syntax.MODERN if "t" in prefix else Syntax.COMMAS if "f" in prefix else Syntax.OLD

    # --- brackets

    def _parentheses(self) -> None:
        """A tuple, a generator, or an expression in parentheses."""
        start = len(self.out)
        opening = self._open(Role.DISPLAY)
        if self._peek() == "yield":
            self._yield()
        elif self._peek() != ")":
            self._items(self._element, ")")
        self._close(opening, ")")
        self._excuse_single(start)

    def _excuse_single(self, start: int) -> None:
        """The comma of a tuple of one item, in the bracket that began at `start`, is no wish to see it split."""
        commas = sum(token.priority == COMMA for token in self._surface(start + 1))
        self.out[-1].magic = self.out[-1].magic and commas > 1

    def _display(self, closing: str, item: Callable[[], None]) -> None:
        opening = self._open(Role.DISPLAY)
        if self._peek() != closing:
            self._items(item, closing)
        self._close(opening, closing)

    def _items(self, item: Callable[[], None], closing: str) -> None:
        """Items with commas between them, or one and the loops of a comprehension."""
        item()
        if self._peek() in ("for", "async"):
            self._loops()
            return
        while self._comma() and self._peek() != closing:
            item()

    def _element(self) -> None:
        if self._peek() == "*":
            self._star()
        else:
            self._named()

    def _star(self) -> None:
        self._take()
        self._operation()

    def _entry(self) -> None:
        """An entry of a dict or set."""
        if self._peek() == "**":
            self._star()
            return
        self._element()
        if self._peek() == ":":
            self._take()
            self._test()

    def _loops(self) -> None:
        """`for … in … if …`, as often as it comes."""
        while self._peek() in ("for", "async", "if"):
            if self._peek() == "if":
                self._take(COMPREHENSION)
                self._condition()
                continue
            is_async = self._peek() == "async"
            if is_async:
                self._take(COMPREHENSION)
            self._expect("for").priority = 0 if is_async else COMPREHENSION
            self._target()
            self._operation()

    def _condition(self) -> None:
        if self._peek() == "lambda":
            self._lambda()
        else:
            self._operation()

    def _target(self) -> int:
        """What a loop assigns to, up to and with `in`. Returns where it begins in `out`."""
        self.out[-1].shelters = True
        start = len(self.out)
        while True:
            if self._peek() == "*":
                self._take()
            self._operand()
            if not self._comma() or self._peek() == "in":
                break
        self._expect("in").unshelters = True
        return start

    def _lambda(self) -> None:
        self._take().shelters = True
        while self._peek() != ":":
            self._parameter_name(Star.NONE)
            if self._peek() == "=":
                self._take()
                self._test()
            if not self._comma():
                break
        self._expect(":").unshelters = True
        self._test()

    def _parameter_name(self, star: Star) -> str:
        """A parameter's name with its stars, or a bare `*` or `/`. Returns the stars."""
        stars = self._peek()
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
        while self._peek() != ")":
            starred |= self._peek() in ("*", "**")
            self._argument()
            if self._peek() in ("for", "async"):
                self._loops()
            if not self._comma():
                break
        if starred and self.out[-1].text == ",":
            self.syntax |= Syntax.ARGUMENT_COMMA
        self._close(opening, ")")

    def _argument(self) -> None:
        if self._peek() in ("*", "**"):
            self._take().star = Star.ARGUMENT
            self._test()
        elif self._peek(1) == "=":
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
        if self._peek() == "*":
            self._star()
            self.syntax |= Syntax.MODERN
            return
        if self._peek() != ":":
            self._named()
        while self._peek() == ":":
            self._take()
            if self._peek() not in (":", ",", "]"):
                self._test()

    def _yield(self) -> None:
        self._take()
        if self._peek() == "from":
            self._take()
            self._test()
        elif self._peek() not in ("", ")", "=") or self._token().kind is Kind.STRING:
            self._flow_list()

    def _flow_list(self) -> None:
        """What `return` and `yield` hand over."""
        start = len(self.out)
        self._list()
        if any(token.text == "*" and token.priority == 0 for token in self._surface(start)):
            self.syntax |= Syntax.COMMAS

    def _surface(self, start: int) -> Iterator[Token]:
        """The tokens since `start` that stand in no bracket, loop target or lambda parameters; brackets included."""
        depth = 0
        for token in self.out[start:]:
            depth -= token.kind is Kind.CLOSE or token.unshelters
            if depth == 0:
                yield token
            depth += token.kind is Kind.OPEN or token.shelters

    def _list(self) -> int:
        """Expressions with commas between them and no brackets around. Returns how many commas there were."""
        commas = 0
        while True:
            self._element()
            if not self._comma():
                break
            commas += 1
            if self._ends_list():
                break
        return commas

    def _ends_list(self) -> bool:
        return self._token().kind is Kind.END or self._peek() in ("=", ":", ")", "in", "if")
