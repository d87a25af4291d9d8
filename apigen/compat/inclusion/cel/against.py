"""Values that a rule most likely refuses, read off its comparisons."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.inclusion.cel.clauses import Clause, Literal, clauses
from apigen.compat.inclusion.cel.comparison import comparison
from apigen.compat.inclusion.numbers import Numbers, numbers_included
from apigen.compat.inclusion.result import NotIncluded
from apigen.compat.inclusion.text_inclusion import texts_included
from apigen.compat.inclusion.texts import Texts
from apigen.compat.verdict.example import JsonValue

_ORDERED = {"<": (1, 1), "<=": (2, 1), ">": (1, 1), ">=": (1, 2), "==": (1, 2), "!=": (1, 1)}
"""By operator, two numbers for which it does not hold."""


def against(rule: str) -> Iterator[dict[str, JsonValue]]:
    """Members of `self` that break a clause of a rule: guesses, which somebody has to try. `` is `self` itself."""
    for clause in sorted(clauses(rule) or (), key=sorted):
        found = _against(clause)
        if found:
            yield found


def _against(clause: Clause) -> dict[str, JsonValue]:
    """Members that break all literals of a clause, as far as these are comparisons and `!has(self.x)`."""
    found: dict[str, JsonValue] = {}
    for literal in sorted(clause):
        if literal[:3] == ("!", "has", "("):
            continue
        for name, value in _against_literal(literal).items():
            found.setdefault(name, value)
    return found


def _against_literal(literal: Literal) -> dict[str, JsonValue]:
    said = comparison(literal)
    if said is not None:
        name, value = _member(said.operand), _outside(said.values)
        return {} if name is None or value is None else {name: value}
    for operator, numbers in _ORDERED.items():
        if literal.count(operator) == 1:
            at = literal.index(operator)
            names = _member(literal[:at]), _member(literal[at + 1 :])
            return {name: number for name, number in zip(names, numbers, strict=True) if name is not None}
    return {}


def _member(operand: Literal) -> str | None:
    """The member of `self` that an operand is; empty for `self`, None for all else."""
    match operand:
        case ("self",):
            return ""
        case ("self", ".", name):
            return name
    return None


def _outside(values: Numbers | Texts) -> JsonValue:
    found = (
        numbers_included(Numbers(is_whole=True), values)
        if isinstance(values, Numbers)
        else texts_included(Texts(), values)
    )
    return found.counter_example if isinstance(found, NotIncluded) else None
