"""The mutator itself: what it changes, that everybody sees the change, and what it says of its list."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.mutation.mutants import MODULE, Name, mutants_of
from tests.mutation.operators import changed
from tests.mutation.survivors import Survivor, differences, read
from tests.mutation.targets import TARGETS

SOURCE = '''
"""Of numbers."""
LIMIT = 10


class Box:
    @property
    def is_full(self) -> bool:
        """Whether it is."""
        return self.size >= LIMIT

    size = 10


def total(numbers: list[int]) -> int:
    found = 0
    for number in numbers:
        if number is None:
            continue
        found += number
    return found
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    (tmp_path / "randomized_boxes.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("randomized_boxes")
    del sys.modules["randomized_boxes"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < b", ["a <= b", "a >= b"]),
        ("a is None", ["a is not None"]),
        ("a and b", ["a or b", "b", "a"]),
        ("not a", ["a"]),
        ("a + 1", ["a - 1"]),
        ("7", ["8", "6"]),
        ("True", ["False"]),
        ("any(a)", []),
        ("f(a, b)", ["f(b, a)"]),
        ("max(a, b)", []),
        ("[a, b]", ["[b]", "[a]"]),
        ("a if b else c", ["a if not b else c"]),
    ],
)
def test_expressions(source: str, expected: list[str]) -> None:
    node = ast.parse(source, mode="eval").body
    assert [ast.unparse(other) for other in changed(node)] == expected
    assert ast.unparse(node) == source


def test_names_have_no_line_numbers_and_are_all_different(module: ModuleType) -> None:
    names = [mutant.name for mutant in mutants_of(module)]
    assert len(set(names)) == len(names)
    assert Name("total", "continue", "continue -> break") in names
    assert Name("total", "found += number", "found += number -> pass") in names
    assert Name("Box.is_full", "return self.size >= LIMIT", "self.size >= LIMIT -> self.size > LIMIT") in names
    assert Name(MODULE, "LIMIT = 10", "10 -> 11") in names
    assert not [name for name in names if "Whether" in name.change]


def test_mutant_is_visible_to_earlier_imports(module: ModuleType) -> None:
    total, box = module.total, module.Box()
    assert (total([1, 2]), box.is_full) == (3, True)
    for mutant in mutants_of(module):
        if mutant.name.change in ("found += number -> found -= number", "self.size >= LIMIT -> self.size > LIMIT"):
            mutant.put_in_place(module)
    assert (total([1, 2]), box.is_full) == (-3, False)


def test_constants_are_changed(module: ModuleType) -> None:
    next(mutant for mutant in mutants_of(module) if mutant.name.change == "10 -> 11").put_in_place(module)
    assert module.LIMIT == 11


LISTED = Survivor("t", Name("f", "return 1", "1 -> 2"), "nobody asks")


def test_list_of_survivors_is_compared_with_the_run() -> None:
    new = Name("f", "return 1", "1 -> 0")
    assert differences([("t", LISTED.name)], [], [LISTED]) == []
    assert differences([("t", LISTED.name), ("t", new)], [], [LISTED]) == [f"not detected, and not listed: t, {new}"]
    assert differences([], [("t", LISTED.name)], [LISTED]) == [
        f"is listed as a survivor, and is killed: t, {LISTED.name}"
    ]
    assert differences([], [("t", new)], [LISTED]) == [
        f"is listed as a survivor, and is no mutant any more: t, {LISTED.name}"
    ]
    assert differences([], [("other", new)], [LISTED]) == [], "its target was not run"


def test_each_listed_survivor_has_a_reason_and_a_target() -> None:
    assert {one.target for one in read()} <= {target.name for target in TARGETS}


def test_missing_reason_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "list.yaml"
    path.write_text("t:\n- {function: f, statement: return 1, change: 1 -> 2, reason: ''}\n")
    with pytest.raises(ValueError, match="has no reason"):
        read(path)
