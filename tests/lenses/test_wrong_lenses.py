"""A lens made wrong on purpose: cases fail, and the proof's own tests fail, because both read one plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

from apigen.dataclass import replace
from apigen.hub.lenses.absence import Absent
from apigen.hub.lenses.annotation import Carried, Marked
from apigen.hub.lenses.constant import FromMetadata
from apigen.hub.lenses.flatten import OptionalParent
from apigen.hub.lenses.move import Move
from apigen.hub.lenses.named_list import NamedList
from apigen.hub.lenses.preserved import Snapshot
from apigen.hub.lenses.select import Selected
from apigen.hub.lenses.singular import Singular
from apigen.hub.lenses.split import Split
from apigen.hub.lenses.value import Clamped, GroupOf, RenamedValues, Scaled, Seconds
from apigen.hub.steps import Loss
from apigen.ir.expressions import Arithmetic, Expression, Literal, Set, Variable, When
from tests.generating import generate_package
from tests.lenses import test_lens_cases
from tests.lenses.test_lens_cases import CASES
from tests.proofs import failures

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


def restore_no_snapshot(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        Snapshot, "_restore", lambda self: When((Literal(True),), (Set(Variable("source"), Variable("source")),))
    )


CONVERSIONS: dict[str, Breaking] = {
    "snapshot": restore_no_snapshot,
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
    "from_metadata": lambda patch: patch.setattr(FromMetadata, "losses", lose_nothing),
    "move_up": lambda patch: patch.setattr(OptionalParent, "losses", lose_nothing),
    "snapshot": lambda patch: patch.setattr(Snapshot, "losses", lose_nothing),
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


@pytest.mark.slow(one_in=16)
def test_wrong_conversions_fail_the_proof(tmp_path: Path) -> None:
    reports = first_failures(CONVERSIONS, tmp_path)
    assert [lens for lens in CONVERSIONS if lens not in reports] == []


@pytest.mark.slow(one_in=16)
def test_incorrect_proofs_fail(tmp_path: Path) -> None:
    reports = first_failures(PROOFS, tmp_path)
    assert [lens for lens in PROOFS if ", but the proof " not in reports.get(lens, "")] == []


def first_failures(broken: Mapping[str, Breaking], folder: Path) -> Mapping[str, str]:
    """The first failure of the generated property tests of each case, generated while its lens is broken."""
    packages = {}
    for lens, break_lens in broken.items():
        with pytest.MonkeyPatch.context() as patch:
            break_lens(patch)
            packages[generate_package(CASES / lens / "specs", folder)] = lens
    found = failures(folder, packages, first_only=True)
    return {packages[package]: report for package, report in found.items()}
