"""Writes the loops and guards that lead from an object to the places of a path."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Collection, Iterable
from itertools import chain, count

from apigen.dataclass import dataclass, replace
from apigen.ir.model import Field
from apigen.ir.names import snake_case
from apigen.ir.places import BoundStep, EachStep, FieldStep, IndexStep, InlineStep, KeyStep, SelectStep
from apigen.ir.types import ListType, MapType, StructType, Type, underlying
from apigen.python.code import Code, literal
from apigen.python.conditions import Scope, selected

_PARAMETERS = frozenset({"errors", "features", "obj", "old", "options", "path", "source", "target"})
"""Names that generated functions have for something else."""

_PACKAGE = re.compile(r"(?:.*_)?(?:hub|v[0-9][0-9a-z]*)")
"""What packages of versions and hubs are called where they are imported."""


def walk(
    code: Code,
    steps: tuple[BoundStep, ...],
    root: str,
    scope: Scope,
    leaf: Callable[[Code, str], None],
    *,
    present: bool = True,
) -> None:
    """Write code that reaches each place at the end of `steps` and let `leaf` write what happens there.

    `leaf` gets the Python expression of the place; its optional parents are not `None`, and nor is the place itself
    where `present`.
    """
    _Walk(code, scope, leaf, present).go(steps, _Spot(root))


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a walk has come to: the expression, its type, if known, and the variables of the loops around it."""

    expression: str
    type_: Type | None = None
    around: tuple[str, ...] = ()

    def element(self, index: str) -> _Spot:
        """The element of a list, or the value of a map, at an index."""
        return _Spot(f"{self.expression}[{index}]", element_type(self.type_), self.around)

    def any_element(self) -> _Spot:
        """What a loop over all elements calls each of them."""
        inner = element_type(self.type_)
        item = loop_variable(inner, self.around)
        return _Spot(item, inner, (*self.around, item))


@dataclass(frozen=True, slots=True)
class _Walk:
    """What stays the same on the way: where the code goes, and what is wanted at the end."""

    code: Code
    scope: Scope
    leaf: Callable[[Code, str], None]
    present: bool

    def go(self, steps: tuple[BoundStep, ...], spot: _Spot) -> None:
        if not steps:
            self.leaf(self.code, spot.expression)
            return
        step, rest = steps[0], steps[1:]
        match step:
            case FieldStep(field):
                self._into_field(field, rest, spot)
            case InlineStep():
                self.go(rest, spot)
            case EachStep(in_map, can_be_none):
                item = spot.any_element()
                values = f"{spot.expression}.values()" if in_map else unbracketed(spot.expression)
                with self.code.block(f"for {item.expression} in {values}:"):
                    self._go_unless_none(rest, item, can_be_none)
            case SelectStep(comparisons):
                item = spot.any_element()
                chosen = selected(comparisons, item.expression, self.scope)
                loop = f"for {item.expression} in {unbracketed(spot.expression)}:"
                with self.code.block(loop), self.code.block(f"if {chosen}:"):
                    self.go(rest, item)
            case IndexStep(index, can_be_none):
                with self.code.block(f"if len({spot.expression}) > {index}:"):
                    self._go_unless_none(rest, spot.element(str(index)), can_be_none)
            case KeyStep(key) if not rest:
                self.go(rest, spot.element(literal(key)))
            case KeyStep(key, can_be_none):
                with self.code.block(f"if {literal(key)} in {spot.expression}:"):
                    self._go_unless_none(rest, spot.element(literal(key)), can_be_none)

    def _into_field(self, field: Field, rest: tuple[BoundStep, ...], spot: _Spot) -> None:
        """Go on from a field; a loop over one that is `None` just has nothing to go over."""
        value = replace(spot, expression=f"{spot.expression}.{field.py_name}", type_=field.type)
        if not rest or not isinstance(rest[0], EachStep | SelectStep):
            self._go_unless_none(rest, value, field.can_be_none)
        elif field.can_be_none:
            self.go(rest, replace(value, expression=f"({value.expression} or {'{}' if _in_map(rest[0]) else '()'})"))
        else:
            self.go(rest, value)

    def _go_unless_none(self, rest: tuple[BoundStep, ...], spot: _Spot, can_be_none: bool) -> None:
        if can_be_none and (rest or self.present):
            with self.code.block(f"if {spot.expression} is not None:"):
                self.go(rest, spot)
        else:
            self.go(rest, spot)


def _in_map(step: BoundStep) -> bool:
    return isinstance(step, EachStep) and step.in_map


def element_type(type_: Type | None) -> Type | None:
    """What the elements of a list, or the values of a map, are of; None where that is not known."""
    match underlying(type_) if type_ is not None else None:
        case ListType(inner) | MapType(_, inner):
            return inner
    return None


def loop_variable(type_: Type | None, around: Collection[str]) -> str:
    """A name for what a loop goes over: that of its type, so that a function with several loops keeps them apart.

    `around` are names that mean something in there.
    """
    known = underlying(type_) if type_ is not None else None
    name = snake_case(known.id.name) if isinstance(known, StructType) else "item"
    if keyword.iskeyword(name) or name in _PARAMETERS or hasattr(builtins, name) or _PACKAGE.fullmatch(name):
        name += "_"
    free = chain((name,), (f"{name}{n}" for n in count(2)))
    return next(each for each in free if each not in around)


class ItemVariables:
    """The variables of one function's loops over lists of structs: those of one type share one, others have others.

    `taken` are names that mean something else there, `verb` is with what functions of the module begin.
    """

    def __init__(self, verb: str, taken: Iterable[str]) -> None:
        self._verb = verb
        self._taken = frozenset(taken)
        self._types: dict[str, Type] = {}

    def of(self, type_: Type) -> str:
        """The variable for items of a type."""
        name, behind = loop_variable(type_, ()), underlying(type_)
        if name in self._taken or name.startswith(f"{self._verb}_"):
            name += "_"
        names = chain((name,), (f"{name}{n}" for n in count(2)))
        free = next(n for n in names if n not in self._taken and self._types.get(n, behind) == behind)
        self._types[free] = behind
        return free


def unbracketed(expression: str) -> str:
    """The expression without brackets that enclose all of it."""
    if not (expression.startswith("(") and expression.endswith(")")):
        return expression
    depth = 0
    for character in expression[:-1]:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:  # the first bracket ends before the last one
            return expression
    return expression[1:-1]
