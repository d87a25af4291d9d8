"""Evaluates constants across packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from apigen.dataclass import dataclass, field
from apigen.inputs.go.constants import ConstantSpec
from apigen.inputs.go.literals import float_value, int_value, rune_value, string_value
from apigen.inputs.go.syntax import MAX_DEPTH
from apigen.inputs.go.types import QUALIFIED
from apigen.inputs.go.values import KINDS, Kind, Value, binary, converted, unary

if TYPE_CHECKING:
    from tree_sitter import Node

_CHAIN = 100
"""Maximum nesting of constants and expressions, limited by Python's stack."""


class Names(Protocol):
    """The declarations of a package."""

    def constant(self, name: str) -> ConstantSpec | None:
        """A constant of the package."""

    def underlying(self, name: str) -> str | None:
        """Return the resolved text of the underlying type of a type of the package; None if it has no such type."""


class Packages(Protocol):
    """The packages that are already read, or can be read."""

    def package(self, path: str) -> Names | None:
        """A package by its import path; None if it is not among those that can be read."""


@dataclass(slots=True)
class Evaluator:
    """Evaluates constants, each once. The value is None for a call, a cycle, and a name that no package declares."""

    packages: Packages
    _values: dict[tuple[str, str], Value | None] = field(default_factory=dict)
    _depth: int = 0

    def constant(self, path: str, name: str) -> Value | None:
        """The value of a constant of a package."""
        key = (path, name)
        if key not in self._values:
            names = self.packages.package(path)
            spec = None if names is None else names.constant(name)
            self._values[key] = None  # should it name itself, on the way
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
        match node.type:
            case "interpreted_string_literal" | "raw_string_literal":
                return _value(Kind.TEXT, string_value(text(node)))
            case "int_literal":
                return _value(Kind.INT, int_value(text(node)))
            case "rune_literal":
                return _value(Kind.RUNE, rune_value(text(node)))
            case "float_literal":
                number = float_value(text(node))
                return None if number is None else Value(Kind.FLOAT, number)
            case "true" | "false":
                return Value(Kind.BOOL, node.type == "true")
            case "iota":
                return Value(Kind.INT, spec.iota)
            case "identifier":
                return self.constant(path, text(node))
            case "parenthesized_expression":
                return self.expression(node.named_children[0], spec, path)
        return self._composed(node, spec, path)

    def _composed(self, node: Node, spec: ConstantSpec, path: str) -> Value | None:
        def part(name: str) -> Value | None:
            child = node.child_by_field_name(name)
            return None if child is None else self.expression(child, spec, path)

        match node.type:
            case "selector_expression":
                return self._qualified(node, spec)
            case "unary_expression":
                value = part("operand")
                return None if value is None else unary(_sign(node, spec), value)
            case "binary_expression":
                return self._binary(node, spec, path)
            case "call_expression" | "type_conversion_expression":
                return self._converted(node, spec, path)
        return None

    def _binary(self, node: Node, spec: ConstantSpec, path: str) -> Value | None:
        """A chain of operators, from its left end on: `a + b + c` is nested as deep as it is long."""
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
        """A constant of another package. It keeps its type there, which has no name here."""
        operand, name = node.child_by_field_name("operand"), node.child_by_field_name("field")
        if operand is None or name is None or operand.type != "identifier":
            return None
        path = spec.unit.imports.path_of(spec.unit.file.text(operand))
        value = None if path is None else self.constant(path, spec.unit.file.text(name))
        return None if value is None else Value(value.kind, value.value)

    def _converted(self, node: Node, spec: ConstantSpec, path: str) -> Value | None:
        """`Type("x")`, or `len("x")`. A call of any other function is no constant in Go."""
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
            return Value(Kind.INT, len(value.value.encode())) if isinstance(value.value, str) else None
        return converted(value, self._kind_of_type(function, spec, path), name)

    def _kind_of_type(self, node: Node, spec: ConstantSpec, path: str) -> Kind | None:
        """Return the kind of constants of a type; None if it is unknown."""
        qualifier, _, name = spec.unit.file.text(node).replace(" ", "").rpartition(".")
        full_path = path if not qualifier else spec.unit.imports.path_of(qualifier)
        for _ in range(MAX_DEPTH):
            names = None if full_path is None else self.packages.package(full_path)
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


def _value(kind: Kind, value: str | int | None) -> Value | None:
    return None if value is None else Value(kind, value)


def _only(arguments: Node) -> Node | None:
    children = [child for child in arguments.named_children if child.type != "comment"]
    return children[0] if len(children) == 1 else None
