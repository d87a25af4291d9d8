"""Values of lens cases (`constant`, `keepZero`): what fits a type, and what depends on conditions, in Python."""

from __future__ import annotations

from collections.abc import Callable

from apigen.ir.types import Scalar, ScalarType, Type, WellKnown, WellKnownType, is_text, underlying
from apigen.python.conditions import Scope, condition_expression
from apigen.spec.model import LensCase, Located


def value_cases(cases: tuple[LensCase, ...], scope: Scope, render: Callable[[LensCase], str], otherwise: str) -> str:
    """The value of the first case that holds, else `otherwise`."""
    expression = otherwise
    for case in reversed(cases):
        value = render(case)
        expression = (
            value if case.when is None else f"{value} if {condition_expression(case.when, scope)} else {expression}"
        )
    return expression


def flag_cases(cases: tuple[LensCase, ...], scope: Scope) -> str:
    """A boolean expression: the first case that holds says true."""
    expression = "False"
    for case in reversed(cases):
        says = isinstance(case.value, Located) and case.value.value is True
        if case.when is None:
            expression = str(says)
            continue
        condition = f"({condition_expression(case.when, scope)})"
        if says:
            expression = condition if expression == "False" else f"{condition} or {expression}"
        else:
            expression = f"not {condition}" if expression == "True" else f"not {condition} and {expression}"
    return expression


def fits(value: object, type_: Type) -> bool:
    """Whether a plain value is one of a type."""
    behind = underlying(type_)
    if is_text(behind):
        return isinstance(value, str)
    match behind:
        case ScalarType(Scalar.BOOL):
            return isinstance(value, bool)
        case ScalarType(Scalar.FLOAT32 | Scalar.FLOAT64):
            return isinstance(value, int | float) and not isinstance(value, bool)
        case ScalarType(Scalar.BYTES):
            return False
        case ScalarType():
            return isinstance(value, int) and not isinstance(value, bool)
        case WellKnownType(WellKnown.QUANTITY):
            return isinstance(value, str | int)
        case WellKnownType(WellKnown.DURATION):
            return isinstance(value, str)
        case WellKnownType(WellKnown.INT_OR_STRING):
            return isinstance(value, str | int) and not isinstance(value, bool)
    return False
