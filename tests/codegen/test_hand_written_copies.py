"""Hand-written modules that are copied to the output: their imports, and which parts are copied."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import libcst
import pytest

from apigen.codegen.handwritten.copying import CannotBeCopied, Origin, copied_text
from apigen.codegen.handwritten.needed_code import NeededCode, needed_code
from apigen.diagnostics import Place, Report
from apigen.ir.hand_written import HandWrittenFunction, ModuleName, Role
from apigen.ir.model import TypeId

HELPERS = ModuleName("things", "v1", "helpers")
ORIGIN = Origin("handwritten", "generated", {HELPERS})
TEXT = """\
from __future__ import annotations

from handwritten.things.v1.helpers import (
    IDLE,
    USED,
    Reader,
)
from generated.things.v1 import types

FACTOR = 2


def default_thing(obj: types.Thing, features: object) -> None:
    obj.size = FACTOR * USED


def default_other(obj: types.Other, features: object) -> None:
    obj.reader = Reader(IDLE)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "handwritten"
    (folder / "things/v1").mkdir(parents=True)
    (folder / "things/v1/defaults.py").write_text(TEXT)
    return folder


def needed(folder: Path, *names: str) -> NeededCode:
    module, place = "handwritten.things.v1.defaults", Place("defaults.py", 1, 1)
    functions = [HandWrittenFunction(TypeId("things", "v1", n), Role.DEFAULT, module, n, place) for n in names]
    return needed_code(functions, folder, "handwritten", Report())[functions[0].relative_module]


def copied(folder: Path, *names: str, origin: Origin = ORIGIN) -> str:
    return copied_text(libcst.parse_module(TEXT), needed(folder, *names), origin)


def test_imports_over_several_lines_stay_imports(folder: Path) -> None:
    """Parentheses stay, whichever names go."""
    for names in (("default_thing",), ("default_other",), ("default_thing", "default_other")):
        imports = [node for node in ast.parse(copied(folder, *names)).body if isinstance(node, ast.ImportFrom)]
        assert [(node.level, node.module) for node in imports] == [
            (0, "__future__"),
            (3, "things.v1.hand_written_helpers"),
            (3, "things.v1"),
        ]


def test_only_used_code_is_copied(folder: Path) -> None:
    text = copied(folder, "default_thing")
    assert "FACTOR" in text and "USED" in text
    assert "default_other" not in text and "IDLE" not in text and "Reader" not in text
    assert list(needed(folder, "default_thing").helpers("handwritten")) == [(HELPERS, ("USED",))]


def test_helpers_that_are_not_copied_are_rejected(folder: Path) -> None:
    with pytest.raises(CannotBeCopied, match=r"handwritten\.things\.v1\.helpers"):
        copied(folder, "default_thing", origin=Origin("handwritten", "generated", set()))


def test_libcst_is_loaded_only_where_functions_are_copied() -> None:
    """It takes longer to load than all CRDs of an operator take to generate."""
    program = "import apigen.codegen.pipeline, sys; sys.exit('libcst' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
