"""Writes expression trees in Python."""

from __future__ import annotations

from enum import IntEnum
from typing import Protocol

from apigen.codegen.python.conditions import Scope, condition_expression, has_at_top_level, holds, is_set, selected
from apigen.codegen.python.source_text import literal
from apigen.codegen.python.values import is_zero, not_zero, zero
from apigen.codegen.python.walking import values_of
from apigen.dataclass import dataclass, replace
from apigen.ir.expressions import (
    Agree,
    Appended,
    Arithmetic,
    Both,
    Call,
    Choice,
    Compared,
    Convert,
    Either,
    Element,
    Entries,
    Entry,
    Expression,
    First,
    FromJson,
    HasKey,
    Here,
    Holds,
    IsNone,
    IsOf,
    IsOneOf,
    IsSelected,
    IsSet,
    IsTrue,
    IsWithin,
    IsZero,
    Items,
    Keys,
    ListOf,
    Literal,
    Made,
    Meets,
    Member,
    Not,
    OrElse,
    Renamed,
    Some,
    Text,
    ToJson,
    Truth,
    TupleOf,
    Typed,
    Variable,
    Zero,
)
from apigen.ir.model import Scalar, Type, WellKnown, WellKnownType, underlying
from apigen.language.model import Not as ConditionNot


class _Binding(IntEnum):
    """The precedence of an expression; an expression of lower precedence than its place requires gets parentheses."""

    CHOICE = 0
    OR = 1
    AND = 2
    NOT = 3
    COMPARISON = 4
    ARITHMETIC = 5
    ATOM = 6


_Written = tuple[str, _Binding]

_NEGATED = {"==": "!=", "!=": "=="}


class ConversionWriter(Protocol):
    """Writes how one module converts values."""

    def text(self, tree: Convert | FromJson | ToJson | Items | Entries, writer: PythonExpressions) -> str:
        """The converted value in Python."""
        ...


@dataclass(frozen=True, slots=True)
class PythonExpressions:
    """Writes expressions of one module. `scope` is that of conditions on a version's object.

    `here` is the value that `Here` means, within `Holds`.
    """

    scope: Scope
    conversions: ConversionWriter | None = None
    here: str = ""

    def text(self, tree: Expression) -> str:
        """The expression in Python, without brackets around it."""
        return self._written(tree)[0]

    def _at_least(self, tree: Expression, binding: _Binding) -> str:
        text, own = self._written(tree)
        return text if own >= binding else f"({text})"

    def atom(self, tree: Expression) -> str:
        """The expression in Python, in brackets unless it is a single value."""
        return self._at_least(tree, _Binding.ATOM)

    def _written(self, tree: Expression) -> _Written:
        match tree:
            case Choice(test, value, otherwise):
                parts = (self._at_least(each, _Binding.OR) for each in (value, test, otherwise))
                return "{} if {} else {}".format(*parts), _Binding.CHOICE
            case OrElse(value, otherwise):
                parts = (self._at_least(each, _Binding.AND) for each in (value, otherwise))
                return " or ".join(parts), _Binding.OR
            case Either(tests):
                return self._joined(" or ", tests, _Binding.OR)
            case Both(tests):
                return self._joined(" and ", tests, _Binding.AND)
            case Arithmetic(left, operator, right):
                return f"{self.atom(left)} {operator} {self.atom(right)}", _Binding.ARITHMETIC
            case Not(test):
                return self._negated(test)
            case IsNone() | IsZero() | IsTrue() | Compared() | IsWithin() | IsOneOf() | HasKey() | Agree():
                return self._comparison(tree)
            case Convert() | FromJson() | ToJson() | Items() | Entries():
                if self.conversions is None:
                    raise ValueError("values are converted in functions of conversions only")
                text = self.conversions.text(tree, self)
                return text, _Binding.CHOICE if has_at_top_level(text, " if ") else _Binding.ATOM
            case Some() | Holds() | IsSet() | IsSelected() | Meets():
                return self._of_path(tree)
        return self._value(tree), _Binding.ATOM

    def _joined(self, word: str, tests: tuple[Expression, ...], binding: _Binding) -> _Written:
        """Join tests by `and` or `or`; nested tests with the other operator get brackets for readability."""
        written = dict.fromkeys(map(self._written, tests))
        if len(written) == 1:
            return next(iter(written))
        texts = (text if own == binding or own >= _Binding.NOT else f"({text})" for text, own in written)
        return word.join(texts), binding

    def _negated(self, test: Expression) -> _Written:
        match test:
            case IsNone(value):
                return f"{self.atom(value)} is not None", _Binding.COMPARISON
            case Not(inner):
                return self._written(inner)
            case Meets(root, condition):
                return self._written(Meets(root, ConditionNot(condition)))
            case Agree(first, second):
                return self._written(Compared(first, "!=", second))
            case Compared(left, operator, right) if operator in _NEGATED:
                return self._written(Compared(left, _NEGATED[operator], right))
            case IsZero(value, field):
                text = not_zero(self.atom(value), field, self.scope.imports)
                is_comparison = has_at_top_level(text, " != ") or has_at_top_level(text, " is ")
                return text, _Binding.COMPARISON if is_comparison else _Binding.ATOM
        return f"not {self._at_least(test, _Binding.COMPARISON)}", _Binding.NOT

    def _comparison(self, tree: Expression) -> _Written:
        match tree:
            case IsNone(value):
                return f"{self.atom(value)} is None", _Binding.COMPARISON
            case IsZero(value, field):
                text = is_zero(self.atom(value), field, self.scope.imports)
                return text, _Binding.NOT if text.startswith("not ") else _Binding.COMPARISON
            case IsTrue(value):
                return self._written(value)
            case Compared(left, operator, right):
                sides = (self._at_least(each, _Binding.ARITHMETIC) for each in (left, right))
                return f" {operator} ".join(sides), _Binding.COMPARISON
            case IsWithin(low, value, high):
                number = self._at_least(value, _Binding.ARITHMETIC)
                return f"{low} <= {number} <= {high}", _Binding.COMPARISON
            case IsOneOf(value, (text,)):
                return self._written(Compared(value, "==", Literal(text)))
            case IsOneOf(value, texts):
                values = ", ".join(map(literal, texts))
                return f"{self.atom(value)} in ({values})", _Binding.COMPARISON
            case HasKey(map_, key, True):
                return f"{literal(key)} in {self.atom(map_)}", _Binding.COMPARISON
            case HasKey(map_, key):
                return f"{literal(key)} in ({self.text(map_)} or {{}})", _Binding.COMPARISON
            case Agree(first, second):
                sides = (self._at_least(each, _Binding.ARITHMETIC) for each in (first, second))
                return " == ".join(sides), _Binding.COMPARISON
        raise TypeError(tree)

    def _of_path(self, tree: Expression) -> _Written:
        match tree:
            case Some(source, variable, test, in_map, can_be_none):
                values = values_of(self.atom(source), in_map=in_map, can_be_none=can_be_none)
                return f"any({self.text(test)} for {variable} in {values})", _Binding.ATOM
            case Holds(root, steps, test):
                text = holds(steps, root, self.scope, lambda value: replace(self, here=value).text(test))
            case IsSet(value, type_, can_be_none):
                text = is_set(type_, can_be_none, self.scope)(self.atom(value))
            case IsSelected(item, comparisons):
                text = selected(comparisons, item, self.scope)
            case Meets(root, condition):
                text = condition_expression(condition, replace(self.scope, holder=root, block=root))
            case _:
                raise TypeError(tree)
        return text, _binding(text)

    def _value(self, tree: Expression) -> str:
        match tree:
            case Variable(name):
                return name
            case Here():
                return self.here
            case Member(of, field):
                return f"{self.atom(of)}.{field.py_name}"
            case Element(of, index):
                return f"{self.atom(of)}[{literal(index)}]"
            case Entry(of, key, False):
                return f"({self.text(of)} or {{}}).get({literal(key)})"
            case Entry(of, key, _, otherwise):
                return f"{self.atom(of)}.get({literal(key)}, {literal(otherwise)})"
            case Literal(value):
                return literal(value)
            case Typed(value, type_):
                return self._typed(value, type_)
            case Zero(type_, can_be_none):
                return zero(type_, can_be_none, self.scope.imports)
            case Made(type_, field, value):
                return f"{self.scope.imports.type_name(type_.id)}({field.py_name}={self.text(value)})"
            case ListOf(elements):
                return f"[{', '.join(map(self.text, elements))}]"
            case TupleOf(elements):
                return f"({', '.join(map(self.text, elements))})"
            case Appended(list_, element, can_be_none):
                before = f"({self.atom(list_)} or ())" if can_be_none else self.atom(list_)
                return f"[*{before}, {self.text(element)}]"
            case Renamed(value, pairs):
                table = ", ".join(f"{literal(old)}: {literal(new)}" for old, new in pairs)
                return f"{{{table}}}.get({self.atom(value)}, {self.atom(value)})"
            case Text(value):
                return f"str({self.text(value)})"
            case Truth(value):
                return f"bool({self.text(value)})"
            case IsOf(value, scalar):
                return f"isinstance({self.text(value)}, {'str' if scalar is Scalar.STRING else 'int'})"
            case Call(function, arguments):
                return f"{self.scope.imports.runtime(function)}({', '.join(map(self.text, arguments))})"
            case First(source, value, test, last):
                listed = f"reversed({self.atom(source)} or ())" if last else f"{self.atom(source)} or ()"
                return f"next(({self.text(value)} for item in {listed} if {self.text(test)}), None)"
            case Keys(source, field, is_sorted):
                keys = f"item.{field.py_name} for item in {self.atom(source)}"
                return f"sorted({{{keys}}})" if is_sorted else f"[{keys}]"
        raise TypeError(tree)

    def _typed(self, value: None | bool | int | float | str, type_: Type) -> str:
        match underlying(type_):
            case WellKnownType(WellKnown.QUANTITY):
                return f"{self.scope.imports.runtime('Quantity')}({literal(str(value))})"
            case WellKnownType(WellKnown.DURATION):
                return f"{self.scope.imports.runtime('Duration')}.parse({literal(str(value))})"
        return literal(value)


def _binding(text: str) -> _Binding:
    """Return the precedence of an expression written by conditions."""
    words = ((" if ", _Binding.CHOICE), (" or ", _Binding.OR), (" and ", _Binding.AND))
    loosest = next((binding for word, binding in words if has_at_top_level(text, word)), None)
    if loosest is not None:
        return loosest
    return _Binding.NOT if text.startswith("not ") else _Binding.COMPARISON
