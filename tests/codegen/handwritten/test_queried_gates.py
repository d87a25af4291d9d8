"""The gates that hand-written functions ask for are those that copies of them would name."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.codegen.handwritten.find import queried_gates
from apigen.codegen.handwritten.modules import named_gates, needed_modules
from apigen.diagnostics import Place, Report
from apigen.ir.hand_written import HandWrittenFunction, Role
from apigen.ir.types import TypeId

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
    gates = frozenset("ABCDEFGHIJKL")
    found = queried_gates(functions(*names), folder, gates)
    assert found == frozenset(asked)
    assert found == named_gates(needed_modules(functions(*names), folder, "x", Report()).values(), gates)


def test_invalid_python_is_ignored(folder: Path) -> None:
    (folder / "core/v1/helpers.py").write_text("def (")
    assert queried_gates(functions("default_pod"), folder, frozenset()) is None
