"""Reserved numbers: no field gets them, the lock keeps them, and `.proto` text declares them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigen.codegen.proto_text.backend import reserved
from apigen.ir.locks import plan_locks
from apigen.ir.numbers import merged_ranges, without_numbers
from apigen.language.model import NumberRange
from tests.ir.resolving import load_and_resolve, resolved, struct, write_specs

TYPES = "types:\n  Frobber:\n    fields: {%s}\n    %s\n"


def ranges() -> st.SearchStrategy[NumberRange]:
    return st.tuples(st.integers(1, 40), st.integers(0, 5)).map(lambda pair: NumberRange(pair[0], sum(pair)))


def numbers(of: tuple[NumberRange, ...]) -> list[int]:
    return [number for each in of for number in range(each.first, each.last + 1)]


@given(st.lists(ranges()))
def test_merging_keeps_the_numbers_and_joins_neighbours(given_: list[NumberRange]) -> None:
    merged = merged_ranges(given_)
    assert numbers(merged) == sorted(set(numbers(tuple(given_))))
    assert all(a.last + 1 < b.first for a, b in pairwise(merged))


@given(ranges(), st.sets(st.integers(1, 50)))
def test_known_numbers_are_removed_from_ranges(one: NumberRange, known: set[int]) -> None:
    assert numbers(tuple(without_numbers(one, known))) == [n for n in numbers((one,)) if n not in known]


def test_new_fields_get_numbers_above_reserved_ones(tmp_path: Path) -> None:
    api = resolved(tmp_path, {"v1.yaml": TYPES % ("a: {type: string}, b: {type: string}", "reserved: [1, 9-11]")})
    assert [field.number for field in struct(api, "Frobber").fields] == [12, 13]


def test_lock_keeps_reserved_numbers(tmp_path: Path) -> None:
    """Removing `reserved:` does not release the numbers."""
    write_specs(tmp_path, {"v1.yaml": TYPES % ("a: {type: string}", "reserved: [1, 9-11]")})
    spec, api, _ = load_and_resolve(tmp_path)
    [lock] = plan_locks(api, spec)
    assert "    reserved: [1, 9-11]\n" in lock.text
    (tmp_path / lock.file).write_text(lock.text, encoding="utf-8")
    write_specs(tmp_path, {"v1.yaml": TYPES % ("a: {type: string}, b: {type: string, protobuf: 10}", "")})
    _, api, report = load_and_resolve(tmp_path)
    [diagnostic] = report.diagnostics
    assert diagnostic.code == "AG0412"
    assert [related.message for related in diagnostic.related] == ["the lock file reserves 10"]
    assert struct(api, "Frobber").reserved == (NumberRange(1, 1), NumberRange(9, 11))


def test_manual_edit_of_a_lock_is_detected(tmp_path: Path) -> None:
    write_specs(tmp_path, {"v1.yaml": TYPES % ("a: {type: string}", "reserved: [1, 9-11]")})
    spec, api, _ = load_and_resolve(tmp_path)
    [lock] = plan_locks(api, spec)
    (tmp_path / lock.file).write_text(lock.text.replace("[1, 9-11]", "[9-11]"), encoding="utf-8")
    assert [d.code for d in load_and_resolve(tmp_path)[2].diagnostics] == ["AG0490"]


def test_locks_without_reserved_numbers_are_unchanged(tmp_path: Path) -> None:
    """Existing locks do not change because apigen supports a new key."""
    write_specs(tmp_path, {"v1.yaml": TYPES % ("a: {type: string}", "")})
    spec, api, _ = load_and_resolve(tmp_path)
    [lock] = plan_locks(api, spec)
    assert lock.text.splitlines()[1:] == [
        "checksum: b8fd912d98470edd",
        "types:",
        "  Frobber:",
        '    checksum: "323a6df38e7e3b96"',
        "    highest: 1",
        "    fields:",
        "      a: {py: a, protobuf: 1}",
    ]


def test_a_tombstone_explains_a_number(tmp_path: Path) -> None:
    files = {"v1.yaml": TYPES % ("a: {type: string}", "reserved: [3-5]\n    tombstones: {b: {protobuf: 4}}")}
    frobber = struct(resolved(tmp_path, files), "Frobber")
    assert frobber.reserved == (NumberRange(3, 3), NumberRange(5, 5))


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("reserved: [4]", ["4"]),
        ("reserved: [9-11, 4, 5]", ["4 to 5, 9 to 11"]),
        ("reserved: [4]\n    tombstones: {b: {protobuf: 5}, c: {protobuf: 9}}", ["4 to 5, 9", '"b", "c"']),
        ("tombstones: {b: {}}", ['"b"']),
        ("tombstones: {}", []),
    ],
)
def test_proto_text(tmp_path: Path, more: str, expected: list[str]) -> None:
    api = resolved(tmp_path, {"v1.yaml": TYPES % ("a: {type: string, protobuf: 1}", more)})
    assert list(reserved(struct(api, "Frobber"))) == expected


def locked_without(folder: Path, gone: str) -> None:
    """Specs of which the lock knows that `b` was there, with number 2, and went."""
    for fields, more in (("a: {type: string}, b: {type: int32}", ""), ("a: {type: string}", f"tombstones: {{{gone}}}")):
        write_specs(folder, {"v1.yaml": TYPES % (fields, more)})
        spec, api, report = load_and_resolve(folder)
        assert not report.diagnostics
        [lock] = plan_locks(api, spec)
        (folder / lock.file).write_text(lock.text, encoding="utf-8")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("a: {type: string}, b: {type: int32, returned: '1.15'}", []),
        ("a: {type: string}, b: {type: int32, protobuf: 2, returned: '1.15'}", []),
        ("a: {type: string}, b: {type: int32, protobuf: 3, returned: '1.15'}", ["AG0409"]),
        ("a: {type: string}, b: {type: int32}", ["AG0407"]),
        ("a: {type: string}, c: {type: int32, protobuf: 2}", ["AG0405"]),  # the number only
        ("a: {type: string}, c: {type: int32, protobuf: 2, returned: '1.15'}", ["AG0405"]),
    ],
)
def test_only_the_same_name_and_number_can_be_restored(tmp_path: Path, fields: str, expected: list[str]) -> None:
    locked_without(tmp_path, "b: {}")
    write_specs(tmp_path, {"v1.yaml": TYPES % (fields, "")})
    spec, api, report = load_and_resolve(tmp_path)
    assert [diagnostic.code for diagnostic in report.diagnostics] == expected
    if not expected:
        assert [field.number for field in struct(api, "Frobber").fields] == [1, 2]
        [lock] = plan_locks(api, spec)
        assert "      b: {py: b, protobuf: 2}\n" in lock.text


@pytest.mark.parametrize(
    ("life", "expected"),
    [
        ("introduced: '1.9', returned: '1.12', deprecated: '1.13', removed: '1.16'", []),
        ("returned: '1.12', deprecated: '1.12'", []),
        ("introduced: '1.9', returned: '1.9'", ["returned in 1.9, but introduced in 1.9"]),
        ("returned: '1.12', deprecated: '1.11'", ["deprecated in 1.11, but returned in 1.12"]),
        ("returned: '1.12', removed: '1.12'", ["removed in 1.12, but returned in 1.12"]),
    ],
)
def test_restored_field_has_a_new_lifecycle(tmp_path: Path, life: str, expected: list[str]) -> None:
    write_specs(tmp_path, {"v1.yaml": TYPES % (f"a: {{type: string, {life}}}", "")})
    report = load_and_resolve(tmp_path)[2]
    assert [diagnostic.message for diagnostic in report.diagnostics if diagnostic.code == "AG0541"] == expected
