"""Generated property tests work for types whose names are Python keywords or names that the tests import."""

from __future__ import annotations

import ast
from pathlib import Path

from apigen.codegen.generated_tests import property_tests
from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report

GROUP = """
group: things.example.com
versions:
  v1beta1: {}
  v1: {storage: true}
hub: v1
kinds:
  Thing: {list: false}
"""
TYPES = """
types:
  Thing:
    fields:
      pass: {type: Import, pyName: pass_}
      values: {type: Values}
      st: {type: "[]St", omitEmpty: true}
  Import: {fields: {a: {type: string}}}
  Values: {fields: {b: {type: int32}}}
  St: {fields: {c: {type: bool}}}
"""


def test_strategies_named_like_keywords_get_an_underscore(tmp_path: Path) -> None:
    for name, text in (("group", GROUP), ("v1", TYPES), ("v1beta1", TYPES)):
        path = tmp_path / "specs" / "things.example.com" / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    report = Report()
    backend_input = check(Sources(tmp_path / "specs"), report).backend_input
    assert backend_input is not None, report.diagnostics
    files = {
        file.path: file.content.decode() for file in property_tests.plan(backend_input) if file.path.endswith(".py")
    }
    trees = {path: ast.parse(text) for path, text in files.items()}
    objects = next(path for path in files if path.endswith("objects_things_example_com_v1.py"))
    made = {node.name for node in trees[objects].body if isinstance(node, ast.FunctionDef)}
    assert made == {"thing", "import_", "values_", "st_"}
    used = {node.id for node in ast.walk(trees[objects]) if isinstance(node, ast.Name)}
    assert {"import_", "values_", "st_"} <= used
