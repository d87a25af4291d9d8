"""Hand-written modules that are copied to the output: their imports, and which parts are copied."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Collection

import libcst
import pytest

from apigen.codegen.handwritten.functions import CannotBeCopied, Origin, copied_text, helpers_of
from apigen.codegen.handwritten.tree_shake import shaken
from apigen.ir.hand_written import ModuleName

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


def kept(keep: Collection[str]) -> libcst.Module:
    return shaken(libcst.parse_module(TEXT), keep)


def test_imports_over_several_lines_stay_imports() -> None:
    """Parentheses stay, whichever names go."""
    for keep in ({"default_thing"}, {"default_other"}, {"default_thing", "default_other"}):
        imports = [node for node in ast.parse(copied_text(kept(keep), ORIGIN)).body if isinstance(node, ast.ImportFrom)]
        assert [(node.level, node.module) for node in imports] == [
            (0, "__future__"),
            (3, "things.v1.hand_written_helpers"),
            (3, "things.v1"),
        ]


def test_only_used_code_is_copied() -> None:
    copied = copied_text(kept({"default_thing"}), ORIGIN)
    assert "FACTOR" in copied and "USED" in copied
    assert "default_other" not in copied and "IDLE" not in copied and "Reader" not in copied
    assert list(helpers_of(kept({"default_thing"}), "handwritten")) == [(HELPERS, ("USED",))]


def test_helpers_that_are_not_copied_are_rejected() -> None:
    with pytest.raises(CannotBeCopied, match=r"handwritten\.things\.v1\.helpers"):
        copied_text(kept({"default_thing"}), Origin("handwritten", "generated", set()))


def test_libcst_is_loaded_only_where_functions_are_copied() -> None:
    """It takes longer to load than all CRDs of an operator take to generate."""
    program = "import apigen.codegen.pipeline, sys; sys.exit('libcst' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
