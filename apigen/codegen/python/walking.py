"""Places of objects as Python expressions, such as `obj.spec.template`, and the loops and guards that lead to them."""

from __future__ import annotations

import builtins
import keyword
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import Generic, TypeVar

from apigen.codegen.python.conditions import Scope, selected
from apigen.codegen.python.source_text import all_of, free_names, literal
from apigen.dataclass import dataclass, replace
from apigen.ir.model import (
    Field,
    FieldPath,
    ListType,
    MapType,
    StructType,
    Type,
    innermost_type,
    optional_parents,
    underlying,
)
from apigen.ir.names import snake_case
from apigen.ir.places import BoundStep, EachStep, FieldStep, IndexStep, InlineStep, KeyStep, PrefixStep, SelectStep


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


@dataclass(frozen=True, slots=True)
class Level:
    """A statement around others: an `if` of a `test`, or a loop in which `variable` is each of `items`.

    `bound` are variables that get a value in it first.
    """

    test: str = ""
    variable: str = ""
    items: str = ""
    bound: tuple[tuple[str, str], ...] = ()


def guards(tests: Iterable[str]) -> tuple[Level, ...]:
    """The level of all tests, each once; empty ones do not count. None without tests."""
    joined = all_of(tests)
    return (Level(joined),) if joined else ()


def levels_to(
    steps: Iterable[BoundStep], root: str, scope: Scope, *, present: bool = True
) -> tuple[tuple[Level, ...], str]:
    """Return the levels around each place at the end of `steps`, from the outside in, and the expression of the place.

    Its optional parents are not `None` there, and nor is the place itself where `present`.
    """
    levels, spot = _Plain(scope).levels(steps, Spot(root), present=present)
    return levels, spot.value


_PARAMETERS = frozenset({"errors", "features", "obj", "old", "options", "path", "source", "target"})
"""Names that generated functions have for something else."""

_PACKAGE = re.compile(r"(?:.*_)?(?:hub|v[0-9][0-9a-z]*)")
"""Matches the names of imported packages of versions and hubs."""


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
    """Finds the guards and loops to the places of a path. Subclasses define the spots, which describe the current
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
    def loop(self, spot: AnySpot, step: EachStep | SelectStep) -> tuple[Level, AnySpot]:
        """The loop over a list or map, which may be `None`, and the spot of the element in it."""

    def levels(
        self, steps: Iterable[BoundStep], spot: AnySpot, *, present: bool = True
    ) -> tuple[tuple[Level, ...], AnySpot]:
        """Return the levels around each place at the end of `steps` from a spot, from the outside in, and its spot.

        Parents of the place are not `None` there, and nor is the place itself where `present`.
        """
        found: list[Level] = []
        for step in steps:
            match step:
                case InlineStep():
                    pass
                case FieldStep(field):
                    found += guards(_is_set(spot))
                    spot = self.member(spot, field)
                case EachStep() | SelectStep():
                    level, spot = self.loop(spot, step)
                    found.append(level)
                    if isinstance(step, SelectStep):
                        found += guards([selected(step.comparisons, spot.value, self._scope)])
                case IndexStep(at):
                    found += guards([*_is_set(spot), f"len({spot.value}) > {at}"])
                    spot = self.element(spot, step)
                case KeyStep(key):
                    found += guards([*_is_set(spot), f"{literal(key)} in {spot.value}"])
                    spot = self.element(spot, step)
                case PrefixStep():
                    raise ValueError("no walk leads to the entries of a prefix: they are dropped from their map")
        if present:
            found += guards(_is_set(spot))
            spot = replace(spot, can_be_none=False)
        return tuple(found), spot


def _is_set(spot: Spot) -> list[str]:
    return [f"{spot.value} is not None"] if spot.can_be_none else []


class _Plain(Walker[Spot]):
    """A walk that is about values only; loop variables are called as the types of elements are."""

    def member(self, spot: Spot, field: Field) -> Spot:
        return Spot(f"{spot.value}.{field.py_name}", field.can_be_none, spot.around)

    def element(self, spot: Spot, step: IndexStep | KeyStep) -> Spot:
        at = step.index if isinstance(step, IndexStep) else step.key
        return Spot(f"{spot.value}[{literal(at)}]", step.can_be_none, spot.around)

    def loop(self, spot: Spot, step: EachStep | SelectStep) -> tuple[Level, Spot]:
        item = loop_variable(step.type, spot.around)
        in_map = isinstance(step, EachStep) and step.in_map
        values = values_of(spot.value, in_map=in_map, can_be_none=spot.can_be_none)
        can_be_none = isinstance(step, EachStep) and step.can_be_none
        return Level(variable=item, items=values), Spot(item, can_be_none, (*spot.around, item))


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
