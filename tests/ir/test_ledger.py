"""The exact messages about numbers: the diagnostic cases of numbers, as far as resolving goes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from apigen.diagnostics import Place, Report
from apigen.diagnostics.printers import PRINTERS
from apigen.ir.locks import locked_types
from apigen.ir.numbers import HIGHEST_NUMBER, merged_ranges, next_number, number_problem, without_numbers
from apigen.ir.resolve import resolve
from apigen.language.load import load_api
from apigen.language.locks import write_lock
from apigen.language.model import LockedField, LockedType, LockFile, NumberRange
from tests.ir.resolving import META, load_and_resolve, resolved, struct, write_specs

CASES = Path(__file__).parents[1] / "diagnostics/cases"
CODES = re.compile(r"\[?AG04(0[1-59]|12)\]?")
NAMES = sorted(
    folder.name
    for folder in CASES.iterdir()
    if (folder / "expected.txt").is_file() and CODES.search((folder / "expected.txt").read_text(encoding="utf-8"))
)


@pytest.mark.parametrize("name", NAMES)
def test_diagnostics_of_case(name: str) -> None:
    folder, report = CASES / name, Report()
    resolve(load_api(folder / "specs", report, display_root=folder), report)
    assert PRINTERS["text"](report.diagnostics) == (folder / "expected.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (0, "AG0401"),
        (1, None),
        (18_999, None),
        (19_000, "AG0402"),
        (19_999, "AG0402"),
        (20_000, None),
        (2**29 - 1, None),
        (2**29, "AG0401"),
    ],
)
def test_numbers_that_protobuf_can_have(number: int, code: str | None) -> None:
    problem = number_problem(number)
    assert (None if problem is None else problem[0]) == code


def test_messages_of_invalid_numbers() -> None:
    assert HIGHEST_NUMBER == 536_870_911
    assert number_problem(0) == ("AG0401", "the protobuf number 0 is not between 1 and 536870911")
    assert number_problem(19_000) == (
        "AG0402",
        "19000 is reserved by protobuf (19000 to 19999)",
    )


@pytest.mark.parametrize(
    ("highest", "following"), [(0, 1), (7, 8), (18_998, 18_999), (18_999, 20_000), (20_000, 20_001)]
)
def test_the_next_number(highest: int, following: int) -> None:
    assert next_number(highest) == following


def test_ranges_with_the_same_start_are_merged() -> None:
    assert merged_ranges([NumberRange(1, 5), NumberRange(1, 2), NumberRange(7, 7)]) == (
        NumberRange(1, 5),
        NumberRange(7, 7),
    )


def test_removing_a_range_boundary_leaves_no_empty_range() -> None:
    assert list(without_numbers(NumberRange(3, 5), [3])) == [NumberRange(4, 5)]
    assert list(without_numbers(NumberRange(3, 5), [5])) == [NumberRange(3, 4)]


def told(folder: Path, type_: str, *locked: LockedField, highest: int = 0) -> list[tuple[str, str]]:
    """Return the diagnostics of a type with these fields, and a lock with those."""
    write_specs(folder, {**META, "v1.yaml": f"types: {{Box: {{{type_}}}}}\n"})
    lock = LockFile("v1", Place(""), (LockedType("Box", locked, highest),))
    (folder / "things.example.com/v1.lock.yaml").write_text(write_lock(lock), encoding="utf-8")
    return [(d.code, d.message) for d in load_and_resolve(folder)[2].diagnostics]


DEPTH = LockedField("depth", None, 4)
WIDTH = LockedField("width", "width", 5)


@pytest.mark.parametrize(
    ("type_", "locked", "messages"),
    [
        ("fields: {}, reserved: [20000-20001]", (), []),
        ("fields: {}, reserved: [18990-18999]", (), []),
        ("fields: {}, reserved: [18990-19000]", (), [("AG0402", number_problem(19_000)[1])]),  # type: ignore[index]
        (
            "fields: {}, tombstones: {depth: {protobuf: 6}}",
            (DEPTH,),
            [("AG0409", "`depth` has the assigned number 4, not 6")],
        ),
        (
            "fields: {width: {type: int32, protobuf: 6}}",
            (WIDTH,),
            [("AG0409", "`width` has the assigned number 5, not 6")],
        ),
        (
            "fields: {a: {type: int32, protobuf: 0}}",
            (),
            [("AG0401", number_problem(0)[1])],  # type: ignore[index]
        ),
        (
            "fields: {a: {type: int32, protobuf: 536870911}, b: {type: int32}}",
            (),
            [
                (
                    "AG0401",
                    "no number is available for `b`: the protobuf number 536870912 is not between 1 and 536870911",
                )
            ],
        ),
        (
            "fields: {a: {type: int32, protobuf: 5}, width: {type: int32}}",
            (WIDTH,),
            [
                ("AG0405", "number 5 belongs to `width`, so it must not be reused"),
            ],
        ),
        (
            "fields: {}, reserved: [18990-536870912]",
            (),
            [("AG0401", number_problem(2**29)[1])],  # type: ignore[index]
        ),
        (
            "fields: {a: {type: int32, protobuf: 7}, b: {type: int32, protobuf: 7}}, reserved: [7]",
            (),
            [
                ("AG0412", "number 7 is reserved for an unknown former field, so `a` must not use it"),
                ("AG0412", "number 7 is reserved for an unknown former field, so `b` must not use it"),
            ],
        ),
        (
            "fields: {width: {type: int32}}, reserved: [5]",
            (WIDTH,),
            [("AG0412", "number 5 is reserved for an unknown former field, so `width` must not use it")],
        ),
    ],
)
def test_messages_with_a_lock(
    tmp_path: Path, type_: str, locked: tuple[LockedField, ...], messages: list[tuple[str, str]]
) -> None:
    assert told(tmp_path, type_, *locked) == messages


def test_lock_of_a_struct_keeps_past_numbers(tmp_path: Path) -> None:
    api = resolved(
        tmp_path, {**META, "v1.yaml": "types: {Box: {fields: {a: {type: int32, protobuf: 1}}, reserved: [11-12]}}\n"}
    )
    (locked,) = locked_types([struct(api, "Box")], {"Box": LockedType("Box", (DEPTH, WIDTH), 5)})
    assert set(locked.fields) == {DEPTH, LockedField("width", None, 5), LockedField("a", "a", 1)}
    assert (locked.name, locked.highest) == ("Box", 12)
    assert locked_types([], {"Box": locked}) == (locked,)


TOO_LONG = ("AG0401", "the protobuf number 536870912 is not between 1 and 536870911")


@pytest.mark.parametrize(
    "type_",
    [
        "fields: {b: {type: int32}}, tombstones: {a: {protobuf: 536870912}}",
        "fields: {a: {type: int32, protobuf: 536870912}, b: {type: int32}}",
    ],
)
def test_invalid_number_causes_no_further_errors(tmp_path: Path, type_: str) -> None:
    assert told(tmp_path, type_) == [TOO_LONG]


def test_number_that_contradicts_the_lock_is_reported_once(tmp_path: Path) -> None:
    fields = "fields: {a: {type: int32, protobuf: 6}, width: {type: int32, protobuf: 6}}"
    assert told(tmp_path, fields, WIDTH) == [("AG0409", "`width` has the assigned number 5, not 6")]
