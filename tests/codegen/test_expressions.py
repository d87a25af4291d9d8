"""Expression trees in Python: brackets where they are needed, and what expressions are about."""

from __future__ import annotations

import pytest

from apigen.codegen.python.conditions import Scope
from apigen.codegen.python.expressions import PythonExpressions
from apigen.codegen.python.source_text import Imports
from apigen.diagnostics import Place
from apigen.ir.expressions import (
    Arithmetic,
    Both,
    Choice,
    Compared,
    Either,
    Expression,
    IsNone,
    IsOneOf,
    IsTrue,
    Literal,
    Member,
    Not,
    OrElse,
    Some,
    Variable,
    at,
    unless_none,
    variables,
)
from apigen.ir.model import STRING, Field, Presence, Struct, TypeId
from apigen.ir.names import Module

PLACE = Place("specs/v1.yaml", 1)
NAME = Field("fullName", "full_name", STRING, Presence.PLAIN, PLACE)
A, B, C = Variable("a"), Variable("b"), Variable("c")
IS_A, IS_B, IS_C = IsTrue(A), IsTrue(B), IsTrue(C)

WRITTEN: dict[str, Expression] = {
    "a.full_name": at("a", (NAME,)),
    "(a or b).full_name": Member(OrElse(A, B), NAME),
    "a is not None": Not(IsNone(A)),
    "a == b": Not(Compared(A, "!=", B)),
    "a and (b or c)": Both((IS_A, Either((IS_B, IS_C)))),
    "(a and b) or c": Either((Both((IS_A, IS_B)), IS_C)),
    "not (a or b)": Not(Either((IS_A, IS_B))),
    "a": Both((IS_A, IS_A)),
    "a and b and c": Both((IS_A, Both((IS_B, IS_C)))),
    "a if b else (b if c else a)": Choice(IS_B, A, Choice(IS_C, B, A)),
    "a == (b if c else a)": Compared(A, "==", Choice(IS_C, B, A)),
    "None if a is None else (b if c else a)": unless_none(A, Choice(IS_C, B, A)),
    '"x" if a == "y" else "z"': Choice(IsOneOf(A, ("y",)), Literal("x"), Literal("z")),
    "any(b and c for b in a or ())": Some(A, "b", Both((IS_B, IS_C)), can_be_none=True),
    "any(b for b in a.values())": Some(A, "b", IS_B, in_map=True),
    "a * (b + c)": Arithmetic(A, "*", Arithmetic(B, "+", C)),
}


@pytest.fixture(scope="module")
def writer() -> PythonExpressions:
    struct = Struct(TypeId("g", "v1", "Person"), PLACE, (NAME,), "person")
    return PythonExpressions(Scope.of("a", struct, {}, Imports(Module.of("g", "v1", "conversions"))))


@pytest.mark.parametrize("text", WRITTEN)
def test_expressions_have_brackets_where_needed(text: str, writer: PythonExpressions) -> None:
    assert writer.text(WRITTEN[text]) == text


def test_unchanged_value_is_not_tested_for_none() -> None:
    assert unless_none(A, A) == A


def test_variables_are_found_at_any_depth() -> None:
    assert variables(Both((IS_A, Compared(at("other", (NAME,)), "==", Literal("b"))))) == {"a", "other"}
