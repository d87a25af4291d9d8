"""Values of lens cases (`constant`, `keepZero`): their types, and their conditions as expressions."""

from __future__ import annotations

from apigen.ir.expressions import Both, Choice, Either, Expression, Literal, Meets, Not, Test, Typed
from apigen.ir.model import Scalar, ScalarType, Type, WellKnown, WellKnownType, is_text, underlying
from apigen.language.model import LensCase, Located


def value_cases(cases: tuple[LensCase, ...], root: str, type_: Type, otherwise: Expression) -> Expression:
    """Return the value of the first case whose condition is true for the version's object in `root`, else
    `otherwise`.
    """
    for case in reversed(cases):
        assert isinstance(case.value, Located)
        value = Typed(case.value.value, type_)
        otherwise = value if case.when is None else Choice(Meets(root, case.when), value, otherwise)
    return otherwise


def flag_cases(cases: tuple[LensCase, ...], root: str) -> Test:
    """Return the test that the first case whose condition is true for the version's object in `root` has the value
    true.
    """
    test: Test = Literal(False)
    for case in reversed(cases):
        is_true = isinstance(case.value, Located) and case.value.value is True
        if case.when is None:
            test = Literal(is_true)
        elif is_true:
            condition: Test = Meets(root, case.when)
            test = condition if test == Literal(False) else Either((condition, test))
        else:
            condition = Not(Meets(root, case.when))
            test = condition if test == Literal(True) else Both((condition, test))
    return test


def fits(value: object, type_: Type) -> bool:
    """Return whether a plain value is one of a type."""
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
