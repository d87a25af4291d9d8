"""Writes the loops and guards that lead from an object to the places of a path."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable, Collection
from itertools import chain, count

from apigen.ir.names import snake_case
from apigen.ir.places import BoundStep, EachStep, FieldStep, IndexStep, InlineStep, KeyStep, SelectStep
from apigen.ir.types import ListType, MapType, StructType, Type, underlying
from apigen.python.code import Code, literal
from apigen.python.conditions import Scope, selected

_PARAMETERS = frozenset({"errors", "features", "obj", "old", "options", "path", "source", "target"})
"""Names that generated functions have for something else."""


def walk(
    code: Code,
    steps: tuple[BoundStep, ...],
    root: str,
    scope: Scope,
    leaf: Callable[[Code, str], None],
    *,
    present: bool = True,
    around: tuple[str, ...] = (),
    type_: Type | None = None,
) -> None:
    """Write code that reaches each place at the end of `steps` and let `leaf` write what happens there.

    `leaf` gets the Python expression of the place; its optional parents are not `None`, and nor is the place itself
    where `present`. `around` are the loop variables that the code stands in, `type_` what `root` is of, if known.
    """
    if not steps:
        leaf(code, root)
        return
    step, rest = steps[0], steps[1:]
    match step:
        case FieldStep(field):
            value, type_ = f"{root}.{field.py_name}", field.type
            loops = bool(rest) and isinstance(rest[0], EachStep | SelectStep)
            if field.can_be_none and not loops and (rest or present):
                with code.block(f"if {value} is not None:"):
                    walk(code, rest, value, scope, leaf, present=present, around=around, type_=type_)
            else:
                if loops and field.can_be_none:
                    value = f"({value} or {'{}' if _in_map(rest[0]) else '()'})"
                walk(code, rest, value, scope, leaf, present=present, around=around, type_=type_)
        case InlineStep():
            walk(code, rest, root, scope, leaf, present=present, around=around, type_=type_)
        case EachStep(in_map, can_be_none):
            inner = element_type(type_)
            item = loop_variable(inner, around)
            values = f"{root}.values()" if in_map else unbracketed(root)
            with code.block(f"for {item} in {values}:"):
                _walk_item(code, rest, item, can_be_none, scope, leaf, present, (*around, item), inner)
        case SelectStep(comparisons):
            inner = element_type(type_)
            item = loop_variable(inner, around)
            chosen = selected(comparisons, item, scope)
            with code.block(f"for {item} in {unbracketed(root)}:"), code.block(f"if {chosen}:"):
                walk(code, rest, item, scope, leaf, present=present, around=(*around, item), type_=inner)
        case IndexStep(index, can_be_none):
            with code.block(f"if len({root}) > {index}:"):
                _walk_item(
                    code, rest, f"{root}[{index}]", can_be_none, scope, leaf, present, around, element_type(type_)
                )
        case KeyStep(key, can_be_none):
            if rest:
                with code.block(f"if {literal(key)} in {root}:"):
                    _walk_item(
                        code,
                        rest,
                        f"{root}[{literal(key)}]",
                        can_be_none,
                        scope,
                        leaf,
                        present,
                        around,
                        element_type(type_),
                    )
            else:
                inner = element_type(type_)
                walk(code, rest, f"{root}[{literal(key)}]", scope, leaf, present=present, around=around, type_=inner)


def _walk_item(
    code: Code,
    rest: tuple[BoundStep, ...],
    item: str,
    can_be_none: bool,
    scope: Scope,
    leaf: Callable[[Code, str], None],
    present: bool,
    around: tuple[str, ...],
    type_: Type | None,
) -> None:
    """Go on from an element of a list or a value of a map, which may be `None`."""
    if can_be_none and (rest or present):
        with code.block(f"if {item} is not None:"):
            walk(code, rest, item, scope, leaf, present=present, around=around, type_=type_)
    else:
        walk(code, rest, item, scope, leaf, present=present, around=around, type_=type_)


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
    if keyword.iskeyword(name) or name in _PARAMETERS or hasattr(builtins, name):
        name += "_"
    free = chain((name,), (f"{name}{n}" for n in count(2)))
    return next(each for each in free if each not in around)


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
