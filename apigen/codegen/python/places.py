"""Values and places of objects as Python expressions, such as `obj.spec.template`: zero values and literals, the loops and guards
that lead to places, and conditions about them.
"""

from __future__ import annotations

import builtins
import keyword
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from apigen.codegen.output import Code, Imports, free_names, literal, numbered
from apigen.dataclass import dataclass, replace
from apigen.ir.literals import EnumText, KnownValue, ListValue, LiteralValue, MapValue, NullValue, PlainValue
from apigen.ir.model import (
    EnumType,
    Field,
    FieldPath,
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
    innermost_type,
    optional_parents,
    struct_of,
    underlying,
)
from apigen.ir.names import snake_case
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


def literal_expression(value: LiteralValue, imports: Imports) -> str:
    """Return a Python expression for a new value, which no two uses share."""
    match value:
        case NullValue():
            return "None"
        case PlainValue(plain):
            return literal(plain)
        case EnumText():
            return literal(value.value)
        case KnownValue():
            return _known(value, imports)
        case ListValue(items):
            return f"[{', '.join(literal_expression(item, imports) for item in items)}]"
        case MapValue(entries):
            pairs = (f"{literal(key)}: {literal_expression(item, imports)}" for key, item in entries)
            return f"{{{', '.join(pairs)}}}"
    arguments = [NO_TYPE_META] if value.type.has_type_meta else []
    arguments += [f"{f.py_name}={literal_expression(v, imports)}" for f, v in value.members]
    return f"{imports.type_name(value.type.id)}({', '.join(arguments)})"


def _known(value: KnownValue, imports: Imports) -> str:
    name = imports.runtime(value.known.value)
    match value.known:
        case WellKnown.QUANTITY:
            return f"{name}({literal(value.text)})"
        case WellKnown.RAW_EXTENSION | WellKnown.FIELDS_V1:
            return f"{name}({literal(value.text.encode())})"
    return f"{name}.parse({literal(value.text)})"


NO_TYPE_META = 'api_version="", kind=""'
"""Arguments of a kind's class for an object inside another one, in which `apiVersion` and `kind` are empty."""


def blank(type_: StructType, imports: Imports) -> str:
    """Return an expression for the zero value of a struct within another one."""
    return f"{imports.type_name(type_.id)}({NO_TYPE_META if type_.has_type_meta else ''})"


def copied_list(value: str) -> str:
    """Return an expression for a copy of a list; `list(…)` is slower for short ones."""
    return f"[*{value}]"


def copied_map(value: str) -> str:
    """Return an expression for a copy of a dict; `dict(…)` is slower for short ones."""
    return f"{{**{value}}}"


def write_list(code: Code, items: str, variable: str, item: str, *targets: str) -> None:
    """Write a loop that creates the list `targets[0]` of the expression `item` for each variable of the list `items`.

    Until Python 3.12 a comprehension is a call. Its items are appended to the last one of the targets.
    """
    code.line(f"{' = '.join(targets)} = []")
    with code.block(f"for {variable} in {items}:"):
        code.line(f"{targets[-1]}.append({item})")


def is_loop(expression: str) -> bool:
    """Return whether an expression creates a list or dict item by item."""
    return expression.startswith(("[", "{")) and not expression.startswith(("[*", "{**"))


_SCALAR_ZERO = {
    Scalar.STRING: '""',
    Scalar.BOOL: "False",
    Scalar.BYTES: 'b""',
    Scalar.FLOAT32: "0.0",
    Scalar.FLOAT64: "0.0",
}


def zero(type_: Type, can_be_none: bool, imports: Imports) -> str:
    """The zero value of a type."""
    if can_be_none:
        return "None"
    match underlying(type_):
        case ScalarType(scalar):
            return _SCALAR_ZERO.get(scalar, "0")
        case EnumType():
            return '""'
        case ListType():
            return "[]"
        case MapType():
            return "{}"
        case StructType() as struct:
            return blank(struct, imports)
        case WellKnownType(WellKnown.QUANTITY):
            return f'{imports.runtime("Quantity")}("0")'
        case WellKnownType(WellKnown.DURATION):
            return f"{imports.runtime('Duration')}(0)"
        case WellKnownType(WellKnown.INT_OR_STRING):
            return "0"
    return "None"


def not_zero(value: str, field: Field, imports: Imports) -> str:
    """A Python expression: `value`, of the type of `field`, is not zero."""
    if _is_false(field):
        return value if underlying(field.type) == ScalarType(Scalar.BOOL) else f"bool({value})"
    return f"{value} {'is not' if field.can_be_none else '!='} {zero(field.type, field.can_be_none, imports)}"


def is_zero(value: str, field: Field, imports: Imports) -> str:
    """The opposite of `not_zero`."""
    if _is_false(field):
        return f"not {value}"
    return f"{value} {'is' if field.can_be_none else '=='} {zero(field.type, field.can_be_none, imports)}"


def _is_false(field: Field) -> bool:
    """Return whether zero is the only false value of a field, whose truth is tested then."""
    behind = underlying(field.type)
    return not field.can_be_none and (isinstance(behind, ListType | MapType) or behind == ScalarType(Scalar.BOOL))


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


def attribute(root: str, path: FieldPath) -> str:
    """The path as an expression."""
    return ".".join((root, *(f.py_name for f in path)))


def present(root: str, paths: Iterable[FieldPath]) -> list[str]:
    """Return expressions that are true if the values at these paths are not `None`."""
    return [f"{attribute(root, path)} is not None" for path in paths]


def guards_of(root: str, path: FieldPath) -> list[str]:
    """Return expressions that are true if no parent of a path is `None`."""
    return present(root, optional_parents(path))


def read_at(root: str, path: FieldPath, otherwise: str) -> str:
    """Return the expression of the value at a place, or `otherwise` if one of its parents is `None`."""
    value, tests = attribute(root, path), guards_of(root, path)
    return f"({value} if {' and '.join(tests)} else {otherwise})" if tests else value


def item_key(item: str, keys: Sequence[Field]) -> str:
    """Return the expression of an element's identity: its key, or a tuple of its keys."""
    parts = [f"{item}.{key.py_name}" for key in keys]
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def value_at(root: str, steps: Iterable[BoundStep]) -> str:
    """The value at the end of steps that lead to one place. Raises ValueError for steps to several places."""
    for step in steps:
        match step:
            case FieldStep(field):
                root = f"{root}.{field.py_name}"
            case KeyStep(at) | IndexStep(at):
                root = f"{root}[{literal(at)}]"
            case InlineStep():
                pass
            case _:
                raise ValueError(f"{step} leads to several places")
    return root


_PARAMETERS = frozenset({"errors", "features", "obj", "old", "options", "path", "source", "target"})
"""Names that generated functions have for something else."""

_PACKAGE = re.compile(r"(?:.*_)?(?:hub|v[0-9][0-9a-z]*)")
"""Matches the names of imported packages of versions and hubs."""


def walk(
    code: Code,
    steps: tuple[BoundStep, ...],
    root: str,
    scope: Scope,
    leaf: Callable[[Code, str], None],
    *,
    present: bool = True,
) -> None:
    """Write code that reaches each place at the end of `steps`; `leaf` writes the code for the place.

    `leaf` gets the Python expression of the place; its optional parents are not `None`, and nor is the place itself
    where `present`.
    """
    _Plain(scope).walk(code, steps, Spot(root), lambda code, spot: leaf(code, spot.value), present=present)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that the code has reached: its expression, whether it may be `None`, and the variables of loops around
    it.
    """

    value: str
    can_be_none: bool = False
    around: tuple[str, ...] = ()


AnySpot = TypeVar("AnySpot", bound=Spot)


class Walker(ABC, Generic[AnySpot]):
    """Writes the guards and loops to the places of a path. Subclasses define the spots, which describe the current
    place.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    @abstractmethod
    def member(self, spot: AnySpot, field: Field) -> AnySpot:
        """A field of the struct at a spot."""

    @abstractmethod
    def element(self, spot: AnySpot, step: IndexStep | KeyStep) -> AnySpot:
        """One element of the list, or one value of the map, at a spot."""

    @abstractmethod
    def loop(self, spot: AnySpot, step: EachStep | SelectStep) -> tuple[str, AnySpot]:
        """The header of a loop over a list or map, which may be `None`, and the spot of the element in it."""

    def walk(
        self,
        code: Code,
        steps: tuple[BoundStep, ...],
        spot: AnySpot,
        leaf: Callable[[Code, AnySpot], None],
        *,
        present: bool = True,
    ) -> None:
        """Write code from a spot to each place at the end of `steps`, and call `leaf` to write the code there.

        Parents of the place are not `None` there, and nor is the place itself where `present`.
        """
        if not steps:
            with code.when(_is_set(spot) if present else []):
                leaf(code, replace(spot, can_be_none=spot.can_be_none and not present))
            return
        step, rest = steps[0], steps[1:]
        match step:
            case InlineStep():
                self.walk(code, rest, spot, leaf, present=present)
            case FieldStep(field):
                with code.when(_is_set(spot)):
                    self.walk(code, rest, self.member(spot, field), leaf, present=present)
            case EachStep() | SelectStep():
                header, item = self.loop(spot, step)
                chosen = [selected(step.comparisons, item.value, self._scope)] if isinstance(step, SelectStep) else []
                with code.block(header), code.when(chosen):
                    self.walk(code, rest, item, leaf, present=present)
            case IndexStep(at):
                with code.when([*_is_set(spot), f"len({spot.value}) > {at}"]):
                    self.walk(code, rest, self.element(spot, step), leaf, present=present)
            case KeyStep(key):
                with code.when([*_is_set(spot), f"{literal(key)} in {spot.value}"]):
                    self.walk(code, rest, self.element(spot, step), leaf, present=present)
            case PrefixStep():
                raise ValueError("no walk leads to the entries of a prefix: they are dropped from their map")


def _is_set(spot: Spot) -> list[str]:
    return [f"{spot.value} is not None"] if spot.can_be_none else []


class _Plain(Walker[Spot]):
    """A walk that is about values only; loop variables are called as the types of elements are."""

    def member(self, spot: Spot, field: Field) -> Spot:
        return Spot(f"{spot.value}.{field.py_name}", field.can_be_none, spot.around)

    def element(self, spot: Spot, step: IndexStep | KeyStep) -> Spot:
        at = step.index if isinstance(step, IndexStep) else step.key
        return Spot(f"{spot.value}[{literal(at)}]", step.can_be_none, spot.around)

    def loop(self, spot: Spot, step: EachStep | SelectStep) -> tuple[str, Spot]:
        item = loop_variable(step.type, spot.around)
        in_map = isinstance(step, EachStep) and step.in_map
        values = values_of(spot.value, in_map=in_map, can_be_none=spot.can_be_none)
        can_be_none = isinstance(step, EachStep) and step.can_be_none
        return f"for {item} in {values}:", Spot(item, can_be_none, (*spot.around, item))


def values_of(value: str, *, in_map: bool, can_be_none: bool) -> str:
    """Return the iterable of a loop: the elements of a list or the values of a map, none if that is `None`."""
    if in_map:
        return f"({value} or {{}}).values()" if can_be_none else f"{value}.values()"
    return f"{value} or ()" if can_be_none else value


def loop_variable(type_: Type, around: Collection[str]) -> str:
    """Return the name of a loop variable: that of its type, so that several loops in a function have different names.

    `around` are names with another meaning in the loop.
    """
    name = _element_name(type_)
    if keyword.iskeyword(name) or name in _PARAMETERS or hasattr(builtins, name) or _PACKAGE.fullmatch(name):
        name += "_"
    return next(each for each in free_names(name) if each not in around)


def _element_name(type_: Type) -> str:
    """Return the name of a struct, with the lists and maps that hold it: `map_of_list_of_pod`; else `item`."""
    match underlying(type_):
        case StructType(id_):
            return snake_case(id_.name)
        case ListType(item) if isinstance(innermost_type(item), StructType):
            return f"list_of_{_element_name(item)}"
        case MapType(_, value) if isinstance(innermost_type(value), StructType):
            return f"map_of_{_element_name(value)}"
    return "item"


class ItemVariables:
    """The variables of a function's loops over lists of structs: one for each type.

    `taken` are names with another meaning in the function, `verb` is the first word of the module's functions.
    """

    def __init__(self, verb: str, used_names: Iterable[str]) -> None:
        self._verb = verb
        self._taken = frozenset(used_names)
        self._types: dict[str, Type] = {}

    def of(self, type_: Type) -> str:
        """The variable for items of a type."""
        name, behind = loop_variable(type_, ()), underlying(type_)
        if name in self._taken or name.startswith(f"{self._verb}_"):
            name += "_"
        free = next(n for n in free_names(name) if n not in self._taken and self._types.get(n, behind) == behind)
        self._types[free] = behind
        return free
