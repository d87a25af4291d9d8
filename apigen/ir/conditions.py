"""Check conditions: paths and gates exist, and values have the type of the field."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics.quoting import quote
from apigen.ir.checks import Checks
from apigen.ir.literal_reader import LiteralProblem, read_literal
from apigen.ir.model import Struct
from apigen.ir.places import BoundPath, FieldStep
from apigen.ir.types import EnumType, ScalarType, Type, WellKnown, WellKnownType, is_bytes, underlying
from apigen.language.model import LiteralNode, Located
from apigen.language.paths import All, Any, Condition, Equals, GateEnabled, IsSet, Literal, Not

_COMPARABLE = frozenset({WellKnown.INT_OR_STRING, WellKnown.QUANTITY, WellKnown.DURATION})


def check_condition(condition: Condition, holder: Struct, block: Struct, checks: Checks) -> None:
    """Report errors in a condition about `holder` that is in the block of `block`."""
    for part in parts(condition):
        match part:
            case Equals(path, values):
                bound = checks.bind(path, holder, block)
                if bound is not None:
                    for value in values:
                        _check_comparison(part, bound, value, checks)
            case IsSet(path):
                checks.bind(path, holder, block)
            case GateEnabled(gate, place):
                checks.know_gate(Located(gate, place))


def parts(condition: Condition) -> Iterator[Equals | IsSet | GateEnabled]:
    """The single questions of a condition."""
    waiting: list[Condition] = [condition]
    while waiting:
        match waiting.pop():
            case Not(inner):
                waiting.append(inner)
            case All(inner_conditions) | Any(inner_conditions):
                waiting.extend(reversed(inner_conditions))
            case Equals() | IsSet() | GateEnabled() as part:
                yield part


def _check_comparison(condition: Equals, bound: BoundPath, value: Literal, checks: Checks) -> None:
    place = condition.path.place
    behind = underlying(bound.type)
    if value is None:
        if not any(isinstance(step, FieldStep) and step.field.can_be_none for step in bound.steps):
            checks.run.error("AG0511", place, f"{quote(bound.text)} is never `null`")
        return
    if not _is_comparable(behind):
        checks.run.error(
            "AG0511",
            place,
            f"{quote(bound.text)} is of type {bound.type}, which cannot be compared with a value",
            hint="use `set:` or `unset:`",
        )
        return
    if value == "" and isinstance(behind, EnumType):
        return
    problems: list[LiteralProblem] = []
    node: LiteralNode = Located(value, place)
    read_literal(node, bound.type, checks.types, problems)
    for problem in problems:
        if _may_have_value(problem, checks):
            continue
        hint = checks.run.did_you_mean(problem.word, problem.candidates) if problem.word else problem.hint
        checks.run.error("AG0511", place, f"{quote(bound.text)} is never true: {problem.message}", hint=hint)


def _is_comparable(type_: Type) -> bool:
    if isinstance(type_, WellKnownType):
        return type_.known in _COMPARABLE
    return isinstance(type_, ScalarType | EnumType) and not is_bytes(type_)


def _may_have_value(problem: LiteralProblem, checks: Checks) -> bool:
    return problem.owner is not None and checks.may_have(problem.owner, problem.word)
