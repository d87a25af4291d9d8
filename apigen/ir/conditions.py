"""Check conditions: their paths and gates exist, and the values that they compare have the types of the fields."""

from __future__ import annotations

from apigen.diagnostics.quoting import quote
from apigen.ir.checks import Checks
from apigen.ir.literals import Limits, LiteralProblem, read_literal
from apigen.ir.model import EnumType, ScalarType, Struct, Type, WellKnown, WellKnownType, is_bytes, underlying
from apigen.ir.places import BoundPath, FieldStep
from apigen.language.model import Condition, Equals, GateEnabled, IsSet, Literal, LiteralNode, Located
from apigen.language.walking import parts

_COMPARABLE = frozenset({WellKnown.INT_OR_STRING, WellKnown.QUANTITY, WellKnown.DURATION})


def check_condition(condition: Condition, holder: Struct, block: Struct, checks: Checks) -> None:
    """Report errors in a condition about `holder` that is in the block of `block`."""
    for part in parts(condition, Equals, IsSet, GateEnabled):
        if isinstance(part, GateEnabled):
            checks.know_gate(Located(part.gate, part.place))
            continue
        bound = checks.bind(part.path, holder, block)
        if isinstance(part, Equals) and bound is not None:
            for value in part.values:
                _check_comparison(part, bound, value, checks)


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
    report_literal(Located(value, place), bound.type, checks, Limits(), compared=bound)


def _is_comparable(type_: Type) -> bool:
    if isinstance(type_, WellKnownType):
        return type_.known in _COMPARABLE
    return isinstance(type_, ScalarType | EnumType) and not is_bytes(type_)


def report_literal(
    node: LiteralNode, type_: Type, checks: Checks, limits: Limits, compared: BoundPath | None = None
) -> None:
    """Report the parts of a literal that do not fit its type or its bounds; a condition has `compared` it with a value."""
    problems: list[LiteralProblem] = []
    read_literal(node, type_, checks.types, problems, limits)
    for problem in problems:
        if problem.owner is not None and checks.may_have(problem.owner, problem.word):
            continue
        hint = checks.run.did_you_mean(problem.word, problem.candidates) if problem.word else problem.hint
        code, message = problem.code, problem.message
        if compared is not None:
            code, message = "AG0511", f"{quote(compared.text)} is never true: {problem.message}"
        checks.run.error(code, problem.place, message, hint=hint)
