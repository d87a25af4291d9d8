"""Assigned numbers and names are never assigned again, whatever edits are made to a spec."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigen.diagnostics import Report
from apigen.ir.locks import plan_locks
from apigen.ir.numbers import HIGHEST_NUMBER, PROTOBUF_RESERVED, next_number
from tests.ir.resolving import load_and_resolve, struct, write_specs

NAMES = [f"field{letter}" for letter in "ABCDEFGH"]


@dataclass
class Edited:
    """A struct as people edit it: written numbers by name, and tombstones (with their number or not)."""

    fields: dict[str, int | None] = field(default_factory=dict)
    tombstones: dict[str, int | None] = field(default_factory=dict)

    def text(self) -> str:
        lines = ["types:", "  Frobber:", "    fields:" if self.fields else "    fields: {}"]
        for name, number in self.fields.items():
            lines.append(f"      {name}: {{type: string{f', protobuf: {number}' if number else ''}}}")
        lines.append("    tombstones:" if self.tombstones else "    tombstones: {}")
        for name, number in self.tombstones.items():
            lines.append(f"      {name}: {{{f'protobuf: {number}' if number else ''}}}")
        return "\n".join([*lines, ""])


EDITS = st.lists(
    st.tuples(
        st.sampled_from(
            ["add", "add written", "remove", "remove and forget", "drop tombstone", "renumber", "drop number"]
        ),
        st.sampled_from(NAMES),
        st.integers(1, 9),
        st.booleans(),
    ),
    min_size=1,
    max_size=8,
)


def edit(spec: Edited, what: str, name: str, number: int, is_first: bool) -> None:
    """Do one thing to a spec that somebody might do, allowed or not."""
    match what:
        case "add" | "add written" if name not in spec.fields:
            added = {name: number if what == "add written" else None}
            spec.fields = {**added, **spec.fields} if is_first else {**spec.fields, **added}
        case "remove" if name in spec.fields:
            written = spec.fields.pop(name)
            spec.tombstones[name] = written
        case "remove and forget":
            spec.fields.pop(name, None)
        case "drop tombstone":
            spec.tombstones.pop(name, None)
        case "renumber" if name in spec.fields:
            spec.fields[name] = number
        case "drop number" if name in spec.fields:
            spec.fields[name] = None


@pytest.mark.slow
@given(EDITS)
@settings(max_examples=150, deadline=None)
def test_numbers_and_names_never_return(edits: list[tuple[str, str, int, bool]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spec = Edited()
        owners: dict[int, str] = {}
        numbers: dict[str, int] = {}
        gone: set[str] = set()
        for one in edits:
            before = Edited(dict(spec.fields), dict(spec.tombstones))
            edit(spec, *one)
            write_specs(folder, {"v1.yaml": spec.text()})
            loaded, api, report = load_and_resolve(folder)
            if report.has_errors:
                spec = before  # nothing is written, and the author takes it back
                continue
            for own in struct(api, "Frobber").fields:
                assert own.number is not None
                assert owners.setdefault(own.number, own.json_name) == own.json_name
                assert numbers.setdefault(own.json_name, own.number) == own.number
                assert own.json_name not in gone
            gone = numbers.keys() - spec.fields.keys()
            for lock in plan_locks(api, loaded):
                (folder / lock.file).write_text(lock.text)


def test_next_number_skips_numbers_reserved_by_protobuf() -> None:
    assert next_number(0) == 1
    assert next_number(PROTOBUF_RESERVED.start - 1) == PROTOBUF_RESERVED.stop
    assert next_number(PROTOBUF_RESERVED.stop) == PROTOBUF_RESERVED.stop + 1


def test_numbers_are_exhausted(tmp_path: Path) -> None:
    fields = f"{{last: {{type: string, protobuf: {HIGHEST_NUMBER}}}, next: {{type: string}}}}"
    write_specs(tmp_path, {"v1.yaml": f"types: {{Frobber: {{fields: {fields}}}}}\n"})
    _, _, report = load_and_resolve(tmp_path)
    assert [d.code for d in report.diagnostics] == ["AG0401"]


def test_numbers_are_assigned_in_order_after_the_highest(tmp_path: Path) -> None:
    text = """
    types:
      Frobber:
        fields:
          a: {type: string}
          b: {type: string, protobuf: 3}
          inner: {type: Inner, inline: true}
          c: {type: string}
        tombstones:
          old: {protobuf: 7}
      Inner:
        fields:
          d: {type: string}
    """
    write_specs(tmp_path, {"v1.yaml": text})
    _, api, report = load_and_resolve(tmp_path)
    assert not report.has_errors
    frobber = struct(api, "Frobber")
    assert [(f.json_name, f.number) for f in frobber.fields] == [("a", 8), ("b", 3), ("d", 1), ("c", 10)]
    assert [(i.name, i.number) for i in frobber.inlines] == [("inner", 9)]


def test_lock_preserves_an_earlier_order(tmp_path: Path) -> None:
    write_specs(tmp_path, {"v1.yaml": "types: {Frobber: {fields: {a: {type: string}, b: {type: string}}}}\n"})
    spec, api, _ = load_and_resolve(tmp_path)
    for lock in plan_locks(api, spec):
        (tmp_path / lock.file).write_text(lock.text)
    write_specs(
        tmp_path, {"v1.yaml": "types: {Frobber: {fields: {c: {type: string}, b: {type: string}, a: {type: string}}}}\n"}
    )
    _, api, report = load_and_resolve(tmp_path)
    assert report.diagnostics == Report().diagnostics
    assert {f.json_name: f.number for f in struct(api, "Frobber").fields} == {"a": 1, "b": 2, "c": 3}
