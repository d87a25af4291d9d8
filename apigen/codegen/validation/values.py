"""Writes the checks of one value: bounds, lengths, patterns, formats, elements, keys and nested structs."""

from __future__ import annotations

from apigen.codegen.hub_names import ShownNames
from apigen.codegen.python.conditions import Scope
from apigen.codegen.python.source_text import Code, Imports, literal, numbered, text_literal
from apigen.codegen.strategies.values import element_name, function_name
from apigen.codegen.validation.plan import ValidationPlan, alias_constraints, is_validated_enum
from apigen.dataclass import dataclass
from apigen.ir.formats import EMBEDDED_RESOURCE, FORMATS, is_format
from apigen.ir.model import Enum, Struct
from apigen.ir.patterns import python_pattern
from apigen.ir.types import (
    EnumType,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    Type,
    TypeId,
    WellKnownType,
    is_bytes,
    is_text,
    underlying,
)
from apigen.language.model import Constraints, LiteralNode, Located
from apigen.runtime.validation import shown

_NUMBERS = frozenset(Scalar) - {Scalar.STRING, Scalar.BOOL, Scalar.BYTES}


@dataclass(frozen=True, slots=True)
class Spot:
    """A value in the code: its expression, the expression of its path, its type, how deep in loops it is."""

    value: str
    path: str
    type: Type
    name: str = "item"
    depth: int = 0

    @property
    def element(self) -> str:
        """The loop variable for an element or value."""
        return element_name(self.name, self.depth)

    def inner(self, name: str) -> str:
        """The loop variable for an index or key."""
        return numbered(name, self.depth)


@dataclass(frozen=True, slots=True)
class Root:
    """The expressions of a struct, the old one and its path. `is_part`: only the given fields are validated."""

    value: str
    old: str
    path: str
    is_part: bool = False


ROOT = Root("obj", "old", "path")


@dataclass(slots=True)
class ValueWriter:
    """Writes checks into the functions of one module."""

    imports: Imports
    plan: ValidationPlan
    names: ShownNames

    def scope(self, struct: Struct) -> Scope:
        """Return the scope of expressions about a struct, with `obj` as the object."""
        return Scope.of("obj", struct, self.plan.compilation.types, self.imports)

    def runtime(self, name: str) -> str:
        """Return how the module spells a name of the run-time's validation."""
        return self.imports.runtime(name, "validation")

    def report(self, code: Code, error: str, *arguments: str) -> None:
        """Add an error to the list."""
        code.line(f"errors.append({self.runtime(error)}({', '.join(arguments)}))")

    def value(self, code: Code, spot: Spot, *given: Constraints) -> None:
        """Write the checks of a value that is set: those of its type, then those of its named types, then `given`."""
        behind = underlying(spot.type)
        constraints = (*alias_constraints(spot.type, self.plan.compilation.types), *given)
        if isinstance(behind, EnumType) and is_validated_enum(self._enum(behind.id)):
            code.line(f"{self.enum_function(behind.id)}({spot.value}, {spot.path}, options, errors)")
        for each in constraints:
            self.limits(code, spot, each)

    def limits(self, code: Code, spot: Spot, constraints: Constraints) -> None:
        """Write the checks of a value that is set for `constraints` only."""
        behind = underlying(spot.type)
        if constraints.not_value is not None:
            self._not(code, spot, constraints.not_value)
        if isinstance(behind, ScalarType) and behind.scalar in _NUMBERS:
            self._number(code, spot, constraints)
        elif is_text(behind) or is_bytes(behind):
            self._text(code, spot, constraints)
        elif isinstance(behind, ListType | MapType):
            self._size(code, spot, constraints)
        elif isinstance(behind, WellKnownType) and is_format(constraints, EMBEDDED_RESOURCE):
            self._format(code, spot, EMBEDDED_RESOURCE)

    def _not(self, code: Code, spot: Spot, other: LiteralNode) -> None:
        value = other.value if isinstance(other, Located) else None
        assert isinstance(value, str | int)
        with code.block(f"if {_is_equal(spot.value, value)}:"):
            self.report(code, "invalid", spot.path, spot.value, text_literal(f"must not be equal to {shown(value)}"))

    def struct_call(self, struct: TypeId, value: str, old: str, path: str) -> str:
        """Return the call that validates a struct."""
        name = f"validate_{self._struct(struct).snake_name}"
        return f"{function_name(self.imports, struct, 'validation', name)}({value}, {old}, {path}, options, errors)"

    def enum_function(self, enum: TypeId) -> str:
        """Return the function that validates a value of an enum."""
        return function_name(self.imports, enum, "validation", f"validate_{self._enum(enum).snake_name}")

    def _enum(self, id_: TypeId) -> Enum:
        found = self.plan.compilation.types[id_]
        assert isinstance(found, Enum)
        return found

    def _struct(self, id_: TypeId) -> Struct:
        return self.plan.places.struct(id_)

    def _number(self, code: Code, spot: Spot, constraints: Constraints) -> None:
        for bound, operator, words in (
            (constraints.minimum, "<", "greater than or equal to"),
            (constraints.maximum, ">", "less than or equal to"),
            (constraints.exclusive_minimum, "<=", "greater than"),
            (constraints.exclusive_maximum, ">=", "less than"),
        ):
            if bound is not None:
                with code.block(f"if {spot.value} {operator} {literal(bound.value)}:"):
                    self.report(
                        code, "invalid", spot.path, spot.value, text_literal(f"must be {words} {shown(bound.value)}")
                    )
        if constraints.multiple_of is not None:
            step = constraints.multiple_of.value
            with code.block(f"if {spot.value} % {literal(step)} != 0:"):
                detail = text_literal(f"must be a multiple of {shown(step)}")
                self.report(code, "invalid", spot.path, spot.value, detail)

    def _text(self, code: Code, spot: Spot, constraints: Constraints) -> None:
        length = f"len({spot.value})"
        size = length if is_bytes(spot.type) else f"len({spot.value}.encode())"
        for bound, test, error in (
            (constraints.min_length, f"{length} <", "too_short"),
            (constraints.max_length, f"{length} >", "too_long_characters"),
            (constraints.max_bytes, f"{size} >", "too_long"),
        ):
            if bound is not None:
                with code.block(f"if {test} {bound.value}:"):
                    self.report(code, error, spot.path, str(bound.value))
        if is_bytes(spot.type):
            return
        if constraints.pattern is not None:
            self._pattern(code, spot, constraints.pattern.value)
        if constraints.format is not None and constraints.format.value in FORMATS:
            self._format(code, spot, constraints.format.value)

    def _format(self, code: Code, spot: Spot, name: str) -> None:
        function = self.imports.runtime(name.replace("-", "_"), "formats")
        code.line(f"errors.extend({function}({spot.path}, {spot.value}))")

    def _pattern(self, code: Code, spot: Spot, pattern: str) -> None:
        """`re` runs a pattern that is proven linear there, the runtime's matcher runs any other."""
        written = python_pattern(pattern)
        if written is None:
            fails = f"not {self.imports.runtime('matches')}({text_literal(pattern)}, {spot.value})"
        else:
            re = self.imports.standard("re")
            fails = f"{re}.search({text_literal(written)}, {spot.value}, {re}.ASCII) is None"
        with code.block(f"if {fails}:"):
            self.report(code, "invalid", spot.path, spot.value, text_literal(f"must match the pattern '{pattern}'"))

    def _size(self, code: Code, spot: Spot, constraints: Constraints) -> None:
        length = f"len({spot.value})"
        for bound, operator, error in (
            (constraints.min_items or constraints.min_properties, "<", "too_few"),
            (constraints.max_items or constraints.max_properties, ">", "too_many"),
        ):
            if bound is not None:
                with code.block(f"if {length} {operator} {bound.value}:"):
                    self.report(code, error, spot.path, length, str(bound.value))


def _is_equal(expression: str, value: str | int) -> str:
    if isinstance(value, bool):
        return expression if value else f"not {expression}"
    return f"{expression} == {literal(value)}"
