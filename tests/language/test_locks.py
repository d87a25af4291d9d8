"""Locks: the same text for the same content, read back, and merged by git where people add to different types."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigen.diagnostics import Place, Report
from apigen.language.locks import read_lock, write_lock
from apigen.language.model import LockedField, LockedType, LockFile, NumberRange
from apigen.language.source import SourceFile

PLACE = Place("v1.lock.yaml")


def field(name: str, number: int | None) -> LockedField:
    return LockedField(name, name.lower(), number)


FROBBER = LockedType("Frobber", (field("height", 1), field("width", 2)), 2)
GEAR = LockedType("Gear", (field("module", 2), field("teeth", 1)), 2)


def lock(*types: LockedType) -> LockFile:
    return LockFile("v1", PLACE, types)


def read(text: str) -> tuple[LockFile | None, list[str]]:
    report = Report()
    result = read_lock(SourceFile(Path("v1.lock.yaml"), "v1.lock.yaml", text), "v1", report)
    return result, [diagnostic.code for diagnostic in report.diagnostics]


NAMES = st.sampled_from(["no", "null", "1", "a b", 'a"b\\', "\u202e", "", "a"]) | st.text(min_size=1, max_size=5)
NUMBERS = st.none() | st.integers(1, 2**29)
FIELDS = st.lists(
    st.builds(LockedField, NAMES, st.none() | NAMES, NUMBERS), unique_by=lambda one: one.json_name, max_size=4
)
TYPES = st.lists(
    st.builds(LockedType, NAMES, FIELDS.map(tuple), st.integers(0, 9)), unique_by=lambda one: one.name, max_size=3
)


@given(TYPES)
def test_write_read_round_trip(types: list[LockedType]) -> None:
    in_order = tuple(
        replace(one, fields=tuple(sorted(one.fields, key=lambda locked: locked.json_name)))
        for one in sorted(types, key=lambda one: one.name)
    )
    assert read(write_lock(lock(*types))) == (lock(*in_order), [])


def test_order_of_entries_is_ignored() -> None:
    turned = LockedType("Gear", GEAR.fields[::-1], GEAR.highest)
    assert write_lock(lock(turned, FROBBER)) == write_lock(lock(FROBBER, GEAR))


def test_comments_and_blanks_are_ignored() -> None:
    text = write_lock(lock(FROBBER)).replace("types:", "# kept\n\ntypes:")
    assert read(text) == (lock(FROBBER), [])


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("protobuf: 2", "protobuf: 3", "AG0490"),
        ("py: width", "py: breadth", "AG0490"),
        ("highest: 2", "highest: 1", "AG0490"),
        ("  Frobber:", "  Frobber2:", "AG0490"),
        ("      width: {py: width, protobuf: 2}\n", "", "AG0490"),
        ("highest: 2", "highest: two", "AG0491"),
        ("highest: 2", "highest: 2\n    lowest: 1", "AG0491"),
        ("types:", "typos:", "AG0491"),
        ("      width:", "      height:", "AG0111"),
        ("types:", "types: [", "AG0110"),
    ],
)
def test_manual_edit_is_detected(old: str, new: str, code: str) -> None:
    text = write_lock(lock(FROBBER))
    assert old in text
    assert read(text.replace(old, new)) == (None, [code])


@given(TYPES, st.data())
def test_fast_reader_agrees_with_yaml_reader(types: list[LockedType], data: st.DataObject) -> None:
    """A trailing comment selects the general YAML reader."""
    reserved = st.lists(st.builds(NumberRange, st.integers(1, 5), st.integers(4, 9)), max_size=2).map(tuple)
    text = write_lock(lock(*(replace(one, reserved=data.draw(reserved)) for one in types)))
    if data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(text)))
        text = (
            text[:at]
            + data.draw(st.sampled_from(["", " ", "1", "a", '"', "\n", "-", ", ", "e", "null"]))
            + text[at + 1 :]
        )
    assert read(text) == read(f"{text}\n# read as YAML\n")


def test_git_merges_additions_to_different_types(tmp_path: Path) -> None:
    taller = LockedType("Frobber", (*FROBBER.fields, field("depth", 3)), 3)
    finer = LockedType("Gear", (*GEAR.fields, field("angle", 3)), 3)
    for name, content in (
        ("ours", lock(taller, GEAR)),
        ("base", lock(FROBBER, GEAR)),
        ("theirs", lock(FROBBER, finer)),
    ):
        (tmp_path / name).write_text(write_lock(content))
    command = ["git", "merge-file", "-p", "ours", "base", "theirs"]
    merged = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert merged == write_lock(lock(taller, finer))
