"""Expressions that create empty structs, and copies of lists and maps."""

from __future__ import annotations

from collections.abc import Callable

from apigen.codegen.python.code import Code
from apigen.ir.types import StructType, TypeId

NO_TYPE_META = 'api_version="", kind=""'
"""Arguments of a kind's class for an object inside another one, in which `apiVersion` and `kind` are empty."""


def blank(type_: StructType, type_name: Callable[[TypeId], str]) -> str:
    """An expression that makes the zero value of a struct within another one."""
    return f"{type_name(type_.id)}({NO_TYPE_META if type_.has_type_meta else ''})"


def copied_list(value: str) -> str:
    """An expression for another list of the same items; `list(…)` takes longer for short ones."""
    return f"[*{value}]"


def copied_map(value: str) -> str:
    """An expression for another dict with the same values; `dict(…)` takes longer for short ones."""
    return f"{{**{value}}}"


def write_list(code: Code, items: str, variable: str, item: str, *targets: str) -> None:
    """Write a loop that makes the list `targets[0]` of the expression `item` for each variable of the list `items`.

    Until Python 3.12 a comprehension is a call. Its items are appended to the last one of the targets.
    """
    code.line(f"{' = '.join(targets)} = []")
    with code.block(f"for {variable} in {items}:"):
        code.line(f"{targets[-1]}.append({item})")


def is_loop(expression: str) -> bool:
    """Return whether an expression makes a list or dict item by item."""
    return expression.startswith(("[", "{")) and not expression.startswith(("[*", "{**"))
