"""The gates that hand-written functions ask for are those that copies of them would name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from apigen.codegen.handwritten.copying import copies_of
from apigen.codegen.handwritten.needed_code import needed_code
from apigen.diagnostics import Place, Report
from apigen.ir.hand_written import HandWrittenFunction, Role
from apigen.ir.model import TypeId

DEFAULTS = """\
from __future__ import annotations

import os.path
from handwritten.core.v1.helpers import is_on, other as another, unused
from handwritten.core.v1.gone import nothing

FIRST, SECOND = "A", "B"
unasked: str = "C"


class Held:
    name = "D"


def default_pod(obj, features):
    if features.enabled("E"):
        return is_on(features, FIRST)
    return Held, f"F{obj}"


def default_node(obj, features):
    return another(features.enabled("G"))


if os.path:
    print("H", SECOND)
"""
HELPERS = """\
def is_on(features, name):
    def inner():
        global LATE
        return LATE
    return features.enabled(name) or inner()


def other(features):
    return "J"


def unused():
    return "K"


LATE = "L"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "handwritten"
    (folder / "core/v1").mkdir(parents=True)
    (folder / "core/v1/defaults.py").write_text(DEFAULTS)
    (folder / "core/v1/helpers.py").write_text(HELPERS)
    return folder


def functions(*names: str) -> list[HandWrittenFunction]:
    module, place = "handwritten.core.v1.defaults", Place("defaults.py", 1, 1)
    return [HandWrittenFunction(TypeId("core", "v1", name), Role.DEFAULT, module, name, place) for name in names]


@pytest.mark.parametrize(
    ("names", "asked"),
    [(["default_pod"], "ABDEFHL"), (["default_node"], "ABGHJ"), (["default_pod", "default_node"], "ABDEFGHJL")],
)
def test_gates_used_by_functions_are_found(folder: Path, names: list[str], asked: str) -> None:
    report = Report()
    needed = needed_code(functions(*names), folder, "x", report)
    gates = frozenset("ABCDEFGHIJKL")
    assert gates & frozenset().union(*(code.texts for code in needed.values())) == frozenset(asked)
    copies = dict(copies_of(needed, folder, "x", "generated", report)).values()
    constants = (node for copy in copies for node in ast.walk(ast.parse(copy)) if isinstance(node, ast.Constant))
    assert gates & {node.value for node in constants if isinstance(node.value, str)} == frozenset(asked)
    assert [
        found.message for found in report.diagnostics
    ] == [], "a copy without `nothing` needs no module of that name"


def test_invalid_python_is_reported(folder: Path) -> None:
    (folder / "core/v1/helpers.py").write_text("def (")
    report = Report()
    assert [name.name for name in needed_code(functions("default_pod"), folder, "x", report)] == ["defaults"]
    assert [(found.code, found.place.file) for found in report.diagnostics] == [("AG0803", "x/core/v1/helpers.py")]
