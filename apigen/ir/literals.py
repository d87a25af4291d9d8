"""Literals of a spec as values of the IR: keys are bound to fields, strings are parsed by their type.

Backends render these; none of them looks at a literal as it was written.
"""

from __future__ import annotations

from collections.abc import Mapping

from apigen.ir.literal_reader import LiteralProblem, read_literal
from apigen.ir.literal_values import LiteralValue
from apigen.ir.model import TypeDef
from apigen.ir.types import Type, TypeId
from apigen.language.model import LiteralNode


def literal_value(node: LiteralNode, type_: Type, types: Mapping[TypeId, TypeDef]) -> LiteralValue:
    """The value of a literal that has been checked. Raises ValueError for one that does not fit."""
    problems: list[LiteralProblem] = []
    value = read_literal(node, type_, types, problems)
    if problems:
        raise ValueError(f"{problems[0].place}: {problems[0].message}")
    return value
