"""A lens made wrong on purpose: cases fail, and the proof's own tests fail, because both read one plan."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from apigen.dataclass import replace
from apigen.hub.lenses.absence import Absent
from apigen.hub.lenses.annotation import Carried, Marked
from apigen.hub.lenses.move import Move
from apigen.hub.lenses.named_list import NamedList
from apigen.hub.lenses.select import Selected
from apigen.hub.lenses.singular import Singular
from apigen.hub.lenses.split import Split
from apigen.hub.lenses.value import Clamped, GroupOf, RenamedValues, Scaled, Seconds
from apigen.hub.steps import Loss
from apigen.ir.expressions import Arithmetic, Expression, Literal, Variable
from apigen.ir.statements import Set, When
from tests.generating import generate_package
from tests.lenses import test_lens_cases
from tests.lenses.test_lens_cases import CASES
from tests.proofs import NO_SHRINKING

Breaking = Callable[[pytest.MonkeyPatch], None]


def lose_nothing(self: object, *value: object) -> Iterable[Loss]:
    return ()


def scale_by_one_more(patch: pytest.MonkeyPatch) -> None:
    right = Scaled.convert

    def convert(self: Scaled, value: Expression, to_hub: bool, path: str) -> Expression:
        return right(self, Arithmetic(value, "+", Literal(1)), to_hub, path)

    patch.setattr(Scaled, "convert", convert)


def seconds_of_another_fraction(patch: pytest.MonkeyPatch) -> None:
    right = Seconds.convert

    def convert(self: Seconds, value: Expression, to_hub: bool, path: str) -> Expression:
        return right(replace(self, fraction="truncate", caps=False), value, to_hub, path)

    patch.setattr(Seconds, "convert", convert)


def forget_names(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        RenamedValues,
        "convert",
        lambda self, value, to_hub, path: value if to_hub else Arithmetic(value, "+", Literal("x")),
    )


def never_absent(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Absent, "expression", lambda self, **_: Literal(5))


def never_empty(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Absent, "expression", lambda self, **_: Literal(None))


def always_the_first(patch: pytest.MonkeyPatch) -> None:
    right = Selected.found
    patch.setattr(Selected, "found", lambda self, root, value: right(replace(self, last=False), root, value))


def forget_what_annotations_hold(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Carried, "_read", lambda self: When((Literal(True),), (Set(Variable("source"), Variable("source")),)))


CONVERSIONS: dict[str, Breaking] = {
    "annotation_as": forget_what_annotations_hold,
    "scale": scale_by_one_more,
    "seconds": seconds_of_another_fraction,
    "enum": forget_names,
    "absent": never_absent,
    "absent-list": never_empty,
}

PROOFS: dict[str, Breaking] = {
    "scale": lambda patch: patch.setattr(Scaled, "losses", lose_nothing),
    "seconds": lambda patch: patch.setattr(Seconds, "losses", lose_nothing),
    "part_group": lambda patch: patch.setattr(GroupOf, "losses", lose_nothing),
    "clamp": lambda patch: patch.setattr(Clamped, "losses", lose_nothing),
    "singular": lambda patch: patch.setattr(Singular, "losses", lose_nothing),
    "split": lambda patch: patch.setattr(Split, "losses", lose_nothing),
    "annotation_as": lambda patch: patch.setattr(Carried, "_changed_by_json", lose_nothing),
    "list_duplicates": lambda patch: patch.setattr(NamedList, "losses", lose_nothing),
    "marker": lambda patch: patch.setattr(Marked, "losses", lose_nothing),
    "empty_absent": lambda patch: patch.setattr(Move, "losses", lose_nothing),
    "absent": lambda patch: patch.setattr(Move, "losses", lose_nothing),
    "absent-list": lambda patch: patch.setattr(Move, "losses", lose_nothing),
}


@pytest.mark.parametrize("lens", CONVERSIONS)
def test_a_wrong_conversion_fails_its_cases(lens: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    CONVERSIONS[lens](monkeypatch)
    with pytest.raises(Exception, match=r"(?s)case|Error|assert|NoneType|expected a"):
        test_lens_cases.test_lens(CASES / lens, tmp_path)


def test_wrong_selection_fails_its_cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof cannot detect it: either element is one of several, and all but one are lost."""
    always_the_first(monkeypatch)
    with pytest.raises(AssertionError, match="select case"):
        test_lens_cases.test_lens(CASES / "select", tmp_path)


@pytest.mark.parametrize("lens", CONVERSIONS)
def test_a_wrong_conversion_fails_the_proof(lens: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    CONVERSIONS[lens](monkeypatch)
    assert "failed" in proof(lens, tmp_path)


@pytest.mark.parametrize("lens", PROOFS)
def test_incorrect_proof_fails(lens: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    PROOFS[lens](monkeypatch)
    assert ", but the proof " in proof(lens, tmp_path)


def proof(lens: str, folder: Path) -> str:
    """What the generated property tests of a case print."""
    package = generate_package(CASES / lens / "specs", folder)
    tests = sorted((folder / package / "tests").glob("test_round_trips_*.py"))
    (folder / "conftest.py").write_text(NO_SHRINKING, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *map(str, tests)]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTEST_ADDOPTS": ""}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    ).stdout
