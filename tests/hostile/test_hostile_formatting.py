"""What ruff makes of modules with hostile text is the same code, and Black accepts it."""

from __future__ import annotations

import ast
from pathlib import Path

import black
import pytest

from apigen.codegen.formatting import format_files, formatter_of
from apigen.codegen.pipeline import Sources, check, generate
from apigen.diagnostics import Report
from tests.hostile.hostile_specs import write_specs

TEXT = '"\\ {{ x }} {path}\r\u2028# fmt: off\n\x0c"""\' ' + "long " * 30
PLACES = (
    "constant",
    "default",
    "default in a case",
    "doc of a field",
    "doc of a gate",
    "doc of a type",
    "doc of an enum value",
    "message of a rule",
    "reason of a tombstone",
    "value of a condition",
)


@pytest.mark.slow
def test_hostile_text_is_formatted_and_accepted_by_black(tmp_path: Path) -> None:
    write_specs(tmp_path, dict.fromkeys(PLACES, TEXT))
    report = Report()
    backend_input = check(Sources(tmp_path, None, tmp_path), report).backend_input
    assert backend_input is not None, report.diagnostics
    files = [file for file in generate(backend_input) if file.path.endswith((".py", ".pyi")) and not file.is_source]
    assert sum(b"fmt: off" in file.content for file in files) > 3
    for before, after in zip(files, format_files(files, formatter_of("ruff")).files, strict=True):
        text = after.content.decode()
        assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(before.content)), after.path
        assert black.format_str(text, mode=black.Mode(is_pyi=after.path.endswith(".pyi"))) == text, after.path
