"""Writes the loops and guards that lead from an object to the places of a path."""

from __future__ import annotations

from collections.abc import Callable

from apigen.ir.places import BoundStep, EachStep, FieldStep, IndexStep, InlineStep, KeyStep, SelectStep
from apigen.python.code import Code, literal
from apigen.python.conditions import Scope, selected


def walk(
    code: Code,
    steps: tuple[BoundStep, ...],
    root: str,
    scope: Scope,
    leaf: Callable[[Code, str], None],
    *,
    present: bool = True,
    depth: int = 0,
) -> None:
    """Write code that reaches each place at the end of `steps` and let `leaf` write what happens there.

    `leaf` gets the Python expression of the place; its optional parents are not `None`, and nor is the place itself
    where `present`.
    """
    if not steps:
        leaf(code, root)
        return
    step, rest = steps[0], steps[1:]
    match step:
        case FieldStep(field):
            value = f"{root}.{field.py_name}"
            loops = bool(rest) and isinstance(rest[0], EachStep | SelectStep)
            if field.can_be_none and not loops and (rest or present):
                with code.block(f"if {value} is not None:"):
                    walk(code, rest, value, scope, leaf, present=present, depth=depth)
            else:
                walk(
                    code,
                    rest,
                    f"({value} or ())" if loops and field.can_be_none else value,
                    scope,
                    leaf,
                    present=present,
                    depth=depth,
                )
        case InlineStep():
            walk(code, rest, root, scope, leaf, present=present, depth=depth)
        case EachStep(in_map):
            item = loop_variable(depth)
            values = root.removesuffix(" or ())") + " or {}).values()" if in_map and root.endswith(" or ())") else root
            if in_map and values == root:
                values = f"{root}.values()"
            with code.block(f"for {item} in {unbracketed(values)}:"):
                walk(code, rest, item, scope, leaf, present=present, depth=depth + 1)
        case SelectStep(comparisons):
            item = loop_variable(depth)
            chosen = selected(comparisons, item, scope)
            with code.block(f"for {item} in {unbracketed(root)}:"), code.block(f"if {chosen}:"):
                walk(code, rest, item, scope, leaf, present=present, depth=depth + 1)
        case IndexStep(index):
            with code.block(f"if len({root}) > {index}:"):
                walk(code, rest, f"{root}[{index}]", scope, leaf, present=present, depth=depth)
        case KeyStep(key):
            if rest:
                with code.block(f"if {literal(key)} in {root}:"):
                    walk(code, rest, f"{root}[{literal(key)}]", scope, leaf, present=present, depth=depth)
            else:
                walk(code, rest, f"{root}[{literal(key)}]", scope, leaf, present=present, depth=depth)


def loop_variable(depth: int) -> str:
    """The name of the loop variable at a depth of nesting."""
    return "item" if depth == 0 else f"item{depth + 1}"


def unbracketed(expression: str) -> str:
    """The expression without brackets that enclose all of it."""
    if expression.startswith("(") and expression.endswith(")") and expression.count("(") - expression.count("()") == 1:
        return expression[1:-1]
    return expression
