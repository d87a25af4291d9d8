"""Values that depend on conditions (`constant`, `keepZero`), as Python expressions."""

from __future__ import annotations

from collections.abc import Callable

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
