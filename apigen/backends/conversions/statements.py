"""Writes what a conversion does once all fields have their values."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import replace
from apigen.ir.expressions import Both, Zero, at
from apigen.ir.field_paths import optional_parents
from apigen.ir.statements import AtEach, Attempt, Build, Set, Statement, When
from apigen.python.code import Code
from apigen.python.expressions import PythonExpressions
from apigen.python.walking import walk


def write_statements(code: Code, statements: Iterable[Statement], expressions: PythonExpressions) -> None:
    """Write statements in their order."""
    for statement in statements:
        _write(code, statement, expressions)


def _write(code: Code, statement: Statement, expressions: PythonExpressions) -> None:
    match statement:
        case Set(place, value):
            code.line(f"{expressions.text(place)} = {expressions.text(value)}")
        case Build(root, path):
            for parent in optional_parents(path):
                built = expressions.text(at(root, parent))
                with code.block(f"if {built} is None:"):
                    code.line(f"{built} = {expressions.text(Zero(parent[-1].type))}")
        case When(tests, then, otherwise):
            with code.block(f"if {expressions.text(Both(tests))}:"):
                write_statements(code, then, expressions)
            if otherwise:
                with code.block("else:"):
                    write_statements(code, otherwise, expressions)
        case AtEach(root, steps, inner, present):

            def leaf(code: Code, here: str) -> None:
                write_statements(code, inner, replace(expressions, here=here))

            walk(code, steps, root, expressions.scope, leaf, present=present)
        case Attempt(inner, is_ignored):
            runtime = expressions.scope.runtime
            with code.block("try:"):
                write_statements(code, inner, expressions)
            if is_ignored:
                with code.block(f"except {runtime('ApiError')}:"):
                    code.line("pass")
            else:
                with code.block(f"except {runtime('DecodeError')} as error:"):
                    code.line(f"raise {runtime('ConversionError')}(error.path, error.problem) from error")
