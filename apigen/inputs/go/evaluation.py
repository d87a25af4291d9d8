"""Evaluates Go expressions: constants, literals and the values of composite literals."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from apigen.dataclass import dataclass, field, replace
from apigen.inputs.go.syntax import (
    MAX_DEPTH,
    QUALIFIED,
    CommentGroup,
    Unit,
    children_of,
    doc_of,
    float_value,
    int_value,
    rune_value,
    string_value,
)

if TYPE_CHECKING:
    from tree_sitter import Node


MOST_BITS = 1024
"""Bits of a number; Go's compiler stops at 512."""

LONGEST_TEXT = 100_000


Number = int | Fraction
Constant = bool | str | Number
"""The value of a constant: integers and runes are `int`, floating-point numbers `Fraction`."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value, and its type as written in the declaration of the constant; None if untyped."""

    value: Constant
    type: str | None = None

    @property
    def plain(self) -> bool | str | int | float | None:
        """Return the Python value; None for a number that is larger than any float."""
        if not isinstance(self.value, Fraction):
            return self.value
        try:
            return float(self.value)
        except OverflowError:
            return None


KINDS: Mapping[str, type[Constant]] = {
    "bool": bool,
    "string": str,
    **dict.fromkeys(("rune", "byte", "uintptr"), int),
    **{f"{sign}int{size}": int for sign in ("", "u") for size in ("", "8", "16", "32", "64")},
    **{f"float{size}": Fraction for size in ("32", "64")},
}
"""The Python types of the predeclared types of Go."""

_LITERALS: Mapping[str, Callable[[str], str | Number | None]] = {
    "interpreted_string_literal": string_value,
    "raw_string_literal": string_value,
    "int_literal": int_value,
    "rune_literal": rune_value,
    "float_literal": float_value,
}
"""The functions that read literals."""

_ARITHMETIC: Mapping[str, Callable[[Number, Number], Number]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
}
_BITS: Mapping[str, Callable[[int, int], int]] = {
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "&^": lambda left, right: left & ~right,
}
_COMPARISONS: Mapping[str, Callable[[Number | str, Number | str], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def converted(constant: Value, kind: type[Constant] | None, type_: str | None) -> Value | None:
    """Convert the value to a type of this kind; return None if Go would reject it. For an unknown kind, the value is
    unchanged.
    """
    value = constant.value
    if kind is None or kind is type(value):
        return Value(value, type_)
    if isinstance(value, bool | str) or kind is bool:
        return None
    if kind is str:
        if isinstance(value, Fraction):
            return None
        is_character = 0 <= value <= 0x10FFFF and not 0xD800 <= value <= 0xDFFF
        return Value(chr(value) if is_character else "\ufffd", type_)
    exact = Fraction(value)
    if kind is Fraction:
        return Value(exact, type_)
    return Value(exact.numerator, type_) if exact.denominator == 1 else None


def unary(sign: str, operand: Value) -> Value | None:
    """`+x`, `-x`, `!x` or `^x`."""
    value = operand.value
    if isinstance(value, bool):
        return replace(operand, value=not value) if sign == "!" else None
    if isinstance(value, str):
        return None
    if sign in ("+", "-"):
        return replace(operand, value=value if sign == "+" else -value)
    return replace(operand, value=~value) if sign == "^" and isinstance(value, int) else None


def binary(sign: str, left: Value, right: Value) -> Value | None:
    """`x + y` and all other operators with two sides."""
    one, other, type_ = left.value, right.value, left.type or right.type
    if sign in ("<<", ">>"):
        return _shifted(sign, left, other)
    if isinstance(one, bool) or isinstance(other, bool):
        both_are = isinstance(one, bool) and isinstance(other, bool)
        return _of_bools(sign, bool(one), bool(other), type_) if both_are else None
    if isinstance(one, str) is not isinstance(other, str):
        return None
    if sign in _COMPARISONS:
        return Value(_COMPARISONS[sign](one, other))
    if isinstance(one, str) or isinstance(other, str):
        text = f"{one}{other}"
        return Value(text, type_) if sign == "+" and len(text) <= LONGEST_TEXT else None
    return _of_numbers(sign, one, other, type_)


def _of_bools(sign: str, left: bool, right: bool, type_: str | None) -> Value | None:
    results = {"&&": left and right, "||": left or right, "==": left == right, "!=": left != right}
    return Value(results[sign], type_) if sign in results else None


def _of_numbers(sign: str, left: Number, right: Number, type_: str | None) -> Value | None:
    result: Number
    if sign in _ARITHMETIC:
        result = _ARITHMETIC[sign](left, right)
    elif isinstance(left, Fraction) or isinstance(right, Fraction):
        if sign != "/" or right == 0:
            return None
        result = Fraction(left) / right
    elif sign in ("/", "%") and right != 0:
        quotient = abs(left) // abs(right) * (1 if (left < 0) is (right < 0) else -1)  # Go divides towards zero
        result = quotient if sign == "/" else left - right * quotient
    elif sign in _BITS:
        result = _BITS[sign](left, right)
    else:
        return None
    is_too_large = max(result.numerator.bit_length(), result.denominator.bit_length()) > 2 * MOST_BITS
    return None if is_too_large else Value(result, type_)


def _shifted(sign: str, shifted: Value, by: Constant) -> Value | None:
    number = shifted.value
    if isinstance(number, bool | str) or isinstance(by, bool | str):
        return None
    if number.denominator != 1 or not 0 <= by <= MOST_BITS:
        return None
    result = number.numerator << int(by) if sign == "<<" else number.numerator >> int(by)
    return None if result.bit_length() > MOST_BITS else Value(result, shifted.type)


_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class ConstantSpec:
    """A constant as declared. Without a type and value, it repeats those of the previous line."""

    name: str
    node: Node
    type: Node | None
    value: Node | None
    iota: int
    unit: Unit
    comment: CommentGroup | None

    @property
    def type_text(self) -> str | None:
        """The type that it is declared with."""
        return None if self.type is None else _SPACE.sub(" ", self.unit.file.text(self.type))

    @property
    def expression(self) -> str | None:
        """Its value as written."""
        return None if self.value is None else _SPACE.sub(" ", self.unit.file.text(self.value))

    @property
    def doc(self) -> str | None:
        """The sentences above it."""
        return None if self.comment is None else doc_of(self.comment.lines)


def read_constants(unit: Unit) -> Iterator[ConstantSpec]:
    """Return the constants of a file in source order, except those named `_`."""
    for declaration in children_of(unit.file.root, "const_declaration"):
        yield from _of_declaration(declaration, unit)


def _of_declaration(declaration: Node, unit: Unit) -> Iterator[ConstantSpec]:
    type_: Node | None = None
    values: list[Node] = []
    for iota, spec in enumerate(children_of(declaration, "const_spec")):
        listed = spec.child_by_field_name("value")
        if listed is not None:
            type_ = spec.child_by_field_name("type")
            values = [node for node in listed.named_children if node.type != "comment"]
        comment = unit.comments.above(spec.start_point[0])
        names = [node for node in spec.children_by_field_name("name") if node.is_named and node.type != "comment"]
        for position, node in enumerate(names):
            name = unit.file.text(node)
            value = values[position] if position < len(values) else None
            if name != "_" and not spec.has_error:
                yield ConstantSpec(name, node, type_, value, iota, unit, comment)


_CHAIN = 100
"""Maximum nesting of constants and expressions, limited by Python's stack."""


class Names(Protocol):
    """The declarations of a package."""

    def constant(self, name: str) -> ConstantSpec | None:
        """A constant of the package."""

    def underlying(self, name: str) -> str | None:
        """Return the resolved text of the underlying type of a type of the package; None if it has no such type."""


@dataclass(slots=True)
class Evaluator:
    """Evaluates constants, each once. The value is None for a call, a cycle, and a name that no package declares.

    `package` returns a package by its import path; None if it cannot be read.
    """

    package: Callable[[str], Names | None]
    _values: dict[tuple[str, str], Value | None] = field(default_factory=dict)
    _depth: int = 0

    def constant(self, path: str, name: str) -> Value | None:
        """The value of a constant of a package."""
        key = (path, name)
        if key not in self._values:
            names = self.package(path)
            spec = None if names is None else names.constant(name)
            self._values[key] = None  # in case it refers to itself
            self._values[key] = None if spec is None else self.declared(spec, path)
        return self._values[key]

    def expression(self, node: Node, spec: ConstantSpec, path: str) -> Value | None:
        """The value of an expression in the declaration of a constant."""
        if self._depth >= _CHAIN:
            return None
        self._depth += 1
        try:
            return self._expression(node, spec, path)
        finally:
            self._depth -= 1

    def declared(self, spec: ConstantSpec, path: str) -> Value | None:
        """Return the value of a declaration. A name may have several, in files with different build constraints."""
        value = None if spec.value is None else self.expression(spec.value, spec, path)
        if value is None or spec.type is None:
            return value
        return converted(value, self._kind_of_type(spec.type, spec, path), spec.type_text)

    def _expression(self, node: Node, spec: ConstantSpec, path: str) -> Value | None:
        text = spec.unit.file.text
        if node.type in _LITERALS:
            literal = _LITERALS[node.type](text(node))
            return None if literal is None else Value(literal)
        match node.type:
            case "true" | "false":
                return Value(node.type == "true")
            case "iota":
                return Value(spec.iota)
            case "identifier":
                return self.constant(path, text(node))
            case "parenthesized_expression":
                return self.expression(node.named_children[0], spec, path)
            case "selector_expression":
                return self._qualified(node, spec)
            case "unary_expression":
                operand = node.child_by_field_name("operand")
                value = None if operand is None else self.expression(operand, spec, path)
                return None if value is None else unary(_sign(node, spec), value)
            case "binary_expression":
                return self._binary(node, spec, path)
            case "call_expression" | "type_conversion_expression":
                return self._converted(node, spec, path)
        return None

    def _binary(self, node: Node, spec: ConstantSpec, path: str) -> Value | None:
        """Evaluate a chain of operators from the left: `a + b + c` is nested as deeply as it is long."""
        chain: list[Node] = []
        left: Node | None = node
        while left is not None and left.type == "binary_expression":
            chain.append(left)
            left = left.child_by_field_name("left")
        value = None if left is None else self.expression(left, spec, path)
        for operation in reversed(chain):
            right = operation.child_by_field_name("right")
            other = None if right is None or value is None else self.expression(right, spec, path)
            value = None if value is None or other is None else binary(_sign(operation, spec), value, other)
        return value

    def _qualified(self, node: Node, spec: ConstantSpec) -> Value | None:
        """Return a constant of another package; its type has no name in this package."""
        operand, name = node.child_by_field_name("operand"), node.child_by_field_name("field")
        if operand is None or name is None or operand.type != "identifier":
            return None
        path = spec.unit.imports.path_of(spec.unit.file.text(operand))
        value = None if path is None else self.constant(path, spec.unit.file.text(name))
        return None if value is None else Value(value.value)

    def _converted(self, node: Node, spec: ConstantSpec, path: str) -> Value | None:
        """Evaluate `Type("x")` or `len("x")`; calls of other functions are not constants in Go."""
        function = node.child_by_field_name("function") or node.child_by_field_name("type")
        arguments = node.child_by_field_name("arguments")
        inner = node.child_by_field_name("operand") if arguments is None else _only(arguments)
        value = None if function is None or inner is None else self.expression(inner, spec, path)
        if value is None or function is None:
            return None
        while function.type in ("parenthesized_expression", "parenthesized_type") and function.named_children:
            function = function.named_children[0]
        if function.type not in ("identifier", "selector_expression", "type_identifier", "qualified_type"):
            return None
        name = spec.unit.file.text(function)
        if name == "len":
            return Value(len(value.value.encode())) if isinstance(value.value, str) else None
        return converted(value, self._kind_of_type(function, spec, path), name)

    def _kind_of_type(self, node: Node, spec: ConstantSpec, path: str) -> type[Constant] | None:
        """Return the kind of constants of a type; None if it is unknown."""
        qualifier, _, name = spec.unit.file.text(node).replace(" ", "").rpartition(".")
        full_path = path if not qualifier else spec.unit.imports.path_of(qualifier)
        for _ in range(MAX_DEPTH):
            names = None if full_path is None else self.package(full_path)
            underlying = None if names is None else names.underlying(name)
            if underlying is None:
                return KINDS.get(name) if full_path == path or not qualifier else None
            found = QUALIFIED.fullmatch(underlying)
            qualifier, name = ("", underlying) if found is None else (found[1], found[2])
            full_path = full_path if found is None else found[1]
        return None


def _sign(node: Node, spec: ConstantSpec) -> str:
    sign = node.child_by_field_name("operator")
    return "" if sign is None else spec.unit.file.text(sign)


def _only(arguments: Node) -> Node | None:
    children = [child for child in arguments.named_children if child.type != "comment"]
    return children[0] if len(children) == 1 else None
