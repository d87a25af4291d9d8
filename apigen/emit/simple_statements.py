"""Reads one simple statement: an expression, an assignment, an import, or what starts with a word of its own."""

from __future__ import annotations

from apigen.emit.expressions import ExpressionReader
from apigen.emit.reading import ARITHMETIC, COMMA, KEEPING, KEYWORDS, UNION, Syntax
from apigen.emit.tokens import Kind, Role, Star

_AUGMENTED = frozenset(("+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**="))


class SimpleStatementReader(ExpressionReader):
    """One rule of the grammar per method."""

    def _word(self) -> None:
        self._take()
        self._skip(":")

    def _names(self) -> None:
        """`import`, `global` and `nonlocal`: nothing in them can be split."""
        while not self._is_over():
            if not self._comma():
                self._take()

    def _from_import(self) -> None:
        is_future = self._token(1).text == "__future__"
        while self._next != "import":
            self._take()
        self._take()
        if self._skip("*"):
            return
        start = len(self.out)
        if self._next == "(":
            opening = self._open(Role.IMPORT)
            self._imported(is_future)
            self._close(opening, ")")
            self._remove(start)
        else:
            self._imported(is_future)
            self._surround(start, Role.IMPORT)

    def _imported(self, is_future: bool) -> None:
        while self._token().kind is Kind.NAME:
            if is_future and self._next == "annotations":
                self.syntax |= Syntax.COMMAS
            self._name()
            if self._skip("as"):
                self._name()
            if not self._comma():
                break

    def _return(self) -> None:
        self._take()
        if not self._is_over():
            start = len(self.out)
            self._flow_list()
            self._wrap(start)

    def _raise(self) -> None:
        self._take()
        if self._is_over():
            return
        self._test()
        if self._skip("from"):
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
        start = len(self.out)
        self._named()
        if not self._is_plain_decorator(start):
            self.syntax |= Syntax.MODERN

    def _is_plain_decorator(self, start: int) -> bool:
        """Whether it is `name.name` or a call of that, which is what decorators could be before Python 3.9."""
        surface = list(self._surface(start))
        if surface[-1].partner is not None and surface[-1].partner.role is Role.CALL:
            del surface[-2:]
        return all(token.text == "." or (token.kind is Kind.NAME and token.text not in KEYWORDS) for token in surface)

    def _type(self) -> None:
        self._take()
        self._name()
        self._type_parameters()
        self._expect("=")
        self._test()
        self.syntax |= Syntax.MODERN

    def _type_parameters(self) -> None:
        if self._next != "[":
            return
        self.syntax |= Syntax.MODERN
        opening = self._open(Role.PARAMETERS)
        while self._next != "]":
            self._parameter_name(Star.NONE)
            for sign in ":=":
                if self._skip(sign):
                    self._test()
            if not self._comma():
                break
        self._close(opening, "]")

    def _expression(self) -> None:
        """An expression, an assignment in any form, or a declaration."""
        commas = self._list()
        if self._skip(":"):
            self._wrapped_test()
            if self._skip("="):
                self._annotated_value()
        elif self._assigns():
            self._first_target(commas)
            while self._assigns():
                self._take()
                self._descend()
                self._wrapped_list()
        elif not commas:
            self._wrap_arithmetic()

    def _assigns(self) -> bool:
        return self._next == "=" or self._next in _AUGMENTED

    def _first_target(self, commas: int) -> None:
        """A tuple may be split, and needs no parentheses."""
        if commas:
            self._surround(0, Role.DISPLAY)
        else:
            self._unwrap(0, KEEPING - {COMMA})

    def _annotated_value(self) -> None:
        start = len(self.out)
        if self._next == "yield":
            self._yield()
        elif self._list():
            self.syntax |= Syntax.COMMAS
        self._wrap(start)

    def _wrap_arithmetic(self) -> None:
        """Black splits sums and the like even where nothing is done with their value, though no other expression."""
        top = max(token.priority for token in self._surface(0))
        if ARITHMETIC <= top < UNION and self.out[0].text not in ("not", "lambda"):
            self._surround(0, Role.DISPLAY)

    def _wrapped_test(self) -> None:
        start = len(self.out)
        self._test()
        self._wrap(start)

    def _wrapped_list(self, keeping: frozenset[int | str] = KEEPING) -> None:
        start = len(self.out)
        if self._next == "yield":
            self._yield()
        else:
            self._list()
        self._wrap(start, keeping)
