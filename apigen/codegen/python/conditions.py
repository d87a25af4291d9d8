"""Conditions of the spec language as Python expressions over generated objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from apigen.codegen.python.source_text import Imports, literal, numbered
from apigen.codegen.python.values import zero
from apigen.dataclass import dataclass
from apigen.ir.model import (
    Field,
    Inline,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    WellKnown,
    WellKnownType,
    struct_of,
    underlying,
)
from apigen.ir.places import (
    BoundComparison,
    BoundPath,
    BoundStep,
    EachStep,
    FieldStep,
    IndexStep,
    InlineStep,
    KeyStep,
    PathProblem,
    PrefixStep,
    SelectStep,
    bind_path,
)
from apigen.language.model import All, Any, Condition, Equals, GateEnabled, IsSet, Not, Path

Predicate = Callable[[str], str]
"""Returns a boolean expression for the expression of a value."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The names in scope of a condition: the struct with the field in question, and the type in whose block the
    condition is.

    `features` is the expression of the passed gates; None if conditions on gates are invalid.
    """

    holder: str
    holder_struct: Struct
    block: str
    block_struct: Struct
    types: Mapping[TypeId, TypeDef]
    imports: Imports
    features: str | None = None

    @classmethod
    def of(
        cls, root: str, struct: Struct, types: Mapping[TypeId, TypeDef], imports: Imports, features: str | None = None
    ) -> Scope:
        """The scope of conditions about one object, `root`, in the block of its struct."""
        return cls(root, struct, root, struct, types, imports, features)

    def bind(self, path: Path) -> tuple[str, BoundPath]:
        """The root expression and the steps of a path. Paths were checked before: a bad one is a ValueError."""
        struct = self.block_struct if path.from_type else self.holder_struct
        bound = bind_path(path, struct, self.types)
        if isinstance(bound, PathProblem):
            raise ValueError(f"{path.text}: {bound.message}")
        return (self.block if path.from_type else self.holder), bound


def condition_expression(condition: Condition, scope: Scope) -> str:
    """Return a boolean expression for `condition`; operands get parentheses where they are needed."""
    match condition:
        case IsSet(path):
            root, bound = scope.bind(path)
            return holds(bound.steps, root, scope, _set_predicate(bound, scope))
        case Equals(path, values):
            return _equals(path, values, scope)
        case GateEnabled(gate):
            if scope.features is None:
                raise ValueError(f"a condition on the gate {gate} has no meaning here")
            return f"{scope.features}.enabled({literal(gate)})"
        case Not(inner):
            return _negated(inner, scope)
        case All(conditions):
            return " and ".join(_bracketed(condition_expression(c, scope), "and") for c in conditions) or "True"
        case Any(conditions):
            return " or ".join(_bracketed(condition_expression(c, scope), "or") for c in conditions) or "False"


def _negated(condition: Condition, scope: Scope) -> str:
    """Return the opposite of a condition; for a field of the object itself, without `not`."""
    if isinstance(condition, Not):
        return condition_expression(condition.condition, scope)
    if isinstance(condition, IsSet | Equals):
        root, bound = scope.bind(condition.path)
        match bound.steps, condition:
            case (FieldStep(field),), IsSet():
                return if_unset(f"{root}.{field.py_name}", bound.type, bound.can_be_none, scope)
            case (FieldStep(field),), Equals(_, (int() | float() | str() as value,)) if not isinstance(value, bool):
                return f"{root}.{field.py_name} != {literal(value)}"
    return f"not {_bracketed(condition_expression(condition, scope))}"


def holds(steps: tuple[BoundStep, ...], root: str, scope: Scope, predicate: Predicate, depth: int = 0) -> str:
    """Return a test whether the place at the end of `steps` is set and `predicate` is true for it (for any, if there
    are several).
    """
    if not steps:
        return predicate(root)
    step, rest = steps[0], steps[1:]
    match step:
        case FieldStep(field):
            value = f"{root}.{field.py_name}"
            return _guarded(value, field.can_be_none, rest, scope, predicate, depth)
        case InlineStep():
            return holds(rest, root, scope, predicate, depth)
        case KeyStep(key, _, can_be_none):
            inner = _guarded(f"{root}[{literal(key)}]", can_be_none, rest, scope, predicate, depth)
            return f"{literal(key)} in {root}" if inner == "True" else f"{literal(key)} in {root} and {inner}"
        case IndexStep(index, _, can_be_none):
            inner = _guarded(f"{root}[{index}]", can_be_none, rest, scope, predicate, depth)
            return f"len({root}) > {index} and {inner}"
        case EachStep(in_map, _, can_be_none):
            item = numbered("item", depth)
            inner = _guarded(item, can_be_none, rest, scope, predicate, depth + 1)
            return f"any({inner} for {item} in {root}{'.values()' if in_map else ''})"
        case PrefixStep(prefix):
            return f"any(key.startswith({literal(prefix)}) for key in {root})"
        case SelectStep(comparisons):
            item = numbered("item", depth)
            inner = holds(rest, item, scope, predicate, depth + 1)
            return f"any({inner} for {item} in {root} if {selected(comparisons, item, scope)})"


def _guarded(
    value: str, can_be_none: bool, rest: tuple[BoundStep, ...], scope: Scope, predicate: Predicate, depth: int
) -> str:
    """Return the test of `holds` for the rest of a path from a value that may be `None`."""
    inner = holds(rest, value, scope, predicate, depth)
    return f"{value} is not None and {_bracketed(inner, 'and')}" if rest and can_be_none else inner


def selected(comparisons: tuple[BoundComparison, ...], item: str, scope: Scope) -> str:
    """Return whether an element of a list is one of a selection."""
    return " and ".join(_compared(comparison, item, scope) for comparison in comparisons)


def _compared(comparison: BoundComparison, item: str, scope: Scope) -> str:
    expected = literal(comparison.value)
    if comparison.equal:
        return holds(comparison.steps, item, scope, lambda value: f"{value} == {expected}")
    if len(comparison.steps) == 1:
        return holds(comparison.steps, item, scope, lambda value: f"{value} != {expected}")
    return f"not ({holds(comparison.steps, item, scope, lambda value: f'{value} == {expected}')})"


def is_set(type_: Type, can_be_none: bool, scope: Scope) -> Predicate:
    """Return the predicate "is set" of a value, a boolean expression."""

    def predicate(value: str) -> str:
        test = if_set(value, type_, can_be_none, scope)
        return f"bool({value})" if test == value and underlying(type_) != ScalarType(Scalar.BOOL) else test

    return predicate


def if_set(value: str, type_: Type, can_be_none: bool, scope: Scope) -> str:
    """Return the test of an `if` that a value is set: not `None`; for a value that cannot be `None`, a list or a map,
    not zero or empty.
    """
    unset = _unset_value(type_, can_be_none, scope)
    return f"{value} {'is not' if unset == 'None' else '!='} {unset}" if unset else value


def if_unset(value: str, type_: Type, can_be_none: bool, scope: Scope) -> str:
    """Return the opposite of `if_set`."""
    unset = _unset_value(type_, can_be_none, scope)
    return f"{value} {'is' if unset == 'None' else '=='} {unset}" if unset else f"not {value}"


def _unset_value(type_: Type, can_be_none: bool, scope: Scope) -> str:
    """Return the value of what is unset; empty for types of which it is the only false value in an `if`."""
    match underlying(type_):
        case ListType() | MapType():
            return ""
        case _ if can_be_none:
            return "None"
        case ScalarType(Scalar.BOOL | Scalar.BYTES) | WellKnownType(WellKnown.INT_OR_STRING):
            return ""
        case ScalarType(Scalar.FLOAT32 | Scalar.FLOAT64):
            return "0"
    return zero(type_, False, scope.imports)


def _set_predicate(bound: BoundPath, scope: Scope) -> Predicate:
    last = bound.steps[-1] if bound.steps else None
    if isinstance(last, KeyStep):
        return lambda value: "True"
    if not isinstance(last, InlineStep):
        return is_set(bound.type, bound.can_be_none, scope)
    assert isinstance(bound.type, StructType)
    members = inline_members(struct_of(bound.type.id, scope.types), last.inline)

    def predicate(value: str) -> str:
        parts = [is_set(f.type, f.can_be_none, scope)(f"{value}.{f.py_name}") for f in members]
        return f"({' or '.join(parts)})" if parts else "False"

    return predicate


def inline_members(struct: Struct, inline: Inline) -> tuple[Field, ...]:
    """Return the fields of a struct that come from an inline field."""
    via = (*inline.via, inline.name)
    return tuple(f for f in struct.fields if f.via[: len(via)] == via)


def _equals(path: Path, values: tuple[None | bool | int | float | str, ...], scope: Scope) -> str:
    root, bound = scope.bind(path)
    plain = tuple(v for v in values if v is not None)

    def predicate(value: str) -> str:
        if len(plain) == 1:
            only = plain[0]
            if only is True:
                return f"{value} is True" if bound.can_be_none else value
            if only is False:
                return f"{value} is False" if bound.can_be_none else f"not {value}"
            return f"{value} == {literal(only)}"
        return f"{value} in ({', '.join(literal(v) for v in plain)})"

    test = holds(bound.steps, root, scope, predicate) if plain else ""
    if None not in values:
        return test
    is_present = holds(bound.steps, root, scope, lambda value: f"{value} is not None" if bound.can_be_none else "True")
    absent = f"not ({is_present})"
    return f"{absent} or {test}" if test else absent


def _bracketed(expression: str, joined_by: str = "not") -> str:
    """Return the expression in parentheses if its precedence requires them."""
    if has_at_top_level(expression, " if "):
        return f"({expression})"
    if joined_by == "not" and (has_at_top_level(expression, " and ") or has_at_top_level(expression, " or ")):
        return f"({expression})"
    if joined_by == "and" and has_at_top_level(expression, " or "):
        return f"({expression})"
    return expression


def has_at_top_level(expression: str, word: str) -> bool:
    """Return whether `word` occurs outside of all brackets and quotes."""
    depth, quote, skip = 0, "", False
    for i, character in enumerate(expression):
        if skip:
            skip = False
        elif quote:
            skip = character == "\\"
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif depth == 0 and expression.startswith(word, i):
            return True
    return False
