"""Every diagnostic says what to do: by a hint of its own, or by the fix of its code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from inspect import Parameter, signature
from pathlib import Path

import pytest

from apigen.diagnostics import Place, Report
from apigen.diagnostics.codes import code_infos
from apigen.diagnostics.fixes import FIXES
from apigen.language.habits import habitual_expression
from apigen.lint.rules import finding

PACKAGE = Path(__file__).resolve().parents[2] / "apigen"
CODE = re.compile(r"AG\d{4}")


LINT_RULES = {"type_rule", "field_rule", "evolution_rule"}
"""Decorators of lint rules. Their findings are made by `apigen.lint.rules.finding`, which requires a hint."""


def reported(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    """The codes that calls name, each with whether the call has a hint."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            values = (*node.args, *(keyword.value for keyword in node.keywords))
            is_lint_rule = isinstance(node.func, ast.Name) and node.func.id in LINT_RULES
            has_hint = is_lint_rule or any(keyword.arg == "hint" for keyword in node.keywords)
            for value in values:
                if isinstance(value, ast.Constant) and isinstance(value.value, str) and CODE.fullmatch(value.value):
                    yield value.value, has_hint


@cache
def sites() -> dict[str, list[bool]]:
    found: dict[str, list[bool]] = {}
    for path in PACKAGE.rglob("*.py"):
        for code, has_hint in reported(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(code, []).append(has_hint)
    return found


def test_every_code_has_a_fix() -> None:
    assert [code for code, hints in sorted(sites().items()) if not any(hints) and code not in FIXES] == []


def test_findings_of_lint_rules_require_a_hint() -> None:
    assert signature(finding).parameters["hint"].default is Parameter.empty


def test_fixes_refer_to_existing_codes() -> None:
    assert set(FIXES) <= set(code_infos())


def test_hint_replaces_the_default_fix() -> None:
    report = Report()
    report.error("AG0203", Place("a"), "one")
    report.error("AG0203", Place("b"), "two", hint="this")
    assert [diagnostic.hint for diagnostic in report.diagnostics] == [FIXES["AG0203"], "this"]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("list[Line]", 'write `"[]Line"`'),
        ("Array<int>", 'write `"[]int64"`'),
        ("dict[str, list[Line]]", 'write `"map[string][]Line"`'),
        ("Line[]", 'write `"[]Line"`'),
        ("str | None", 'write `type: "string"` and `optional: true`'),
        ("Optional[int]", 'write `type: "int64"` and `optional: true`'),
        ("a b", None),
        ("list[" * 100, None),
    ],
)
def test_expressions_of_other_languages_are_translated(text: str, hint: str | None) -> None:
    assert habitual_expression(text) == hint


def test_every_recorded_diagnostic_has_a_help_line() -> None:
    cases = sorted((Path(__file__).parent / "cases").glob("*/expected.txt"))
    first_line = re.compile(r"^\S[^\n]*: (?:error|warning) AG\d{4}: ", re.MULTILINE)
    missing = []
    for path in cases:
        text = path.read_text(encoding="utf-8")
        starts = [match.start() for match in first_line.finditer(text)]
        parts = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
        missing += [f"{path.parent.name}: {part.partition(chr(10))[0]}" for part in parts if "= help: " not in part]
    assert missing == []
