"""A name and a number that were ever used do not return."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.build.build import locks_of
from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from tests.generating import generate_package
from tests.things.frobbers import GROUP, Frobbers, diagnostics, specs_in

V6_FILE, V7_FILE = f"{GROUP}/v6.yaml", f"{GROUP}/v7alpha1.yaml"
WIDTH = """\
      width:
        doc: How wide the object is.
        type: int32
        optional: true
        protobuf: 6
        minimum: 0
        featureGate: Frobber2D
"""
TOMBSTONES = """\
    tombstones:
      depth: {protobuf: 4, removed: "1.12", reason: replaced by width}
"""


@pytest.fixture
def specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example's specs with their locks, as a run leaves them."""
    folder = specs_in(tmp_path / "specs")
    monkeypatch.chdir(folder)
    report = Report()
    checked = check(Sources(folder, None, folder), report)
    assert checked.backend_input is not None
    for lock in locks_of(checked.backend_input.api, checked.spec, folder, folder):
        lock.write()
    return folder


def change(specs: Path, old: str, new: str, path: str = V6_FILE) -> None:
    file = specs / path
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


def add_field(specs: Path, field: str) -> None:
    change(specs, "      param:    {", f"      {field}\n      param:    {{")


def test_unchanged_specs_have_no_errors(specs: Path) -> None:
    assert diagnostics(specs) == []


@pytest.mark.parametrize(
    ("field", "code", "words"),
    [
        ("depth: {type: int32}", "AG0406", "`depth` has a tombstone"),
        ("depth: {type: int32, protobuf: 10}", "AG0406", "`depth` has a tombstone"),
        ("volume: {type: int32, protobuf: 4}", "AG0404", "number 4 is reserved by the tombstone of `depth`"),
    ],
)
@pytest.mark.parametrize("with_lock", [True, False])
def test_removed_field_cannot_be_restored(specs: Path, field: str, code: str, words: str, with_lock: bool) -> None:
    if not with_lock:
        for lock in specs.rglob("*.lock.yaml"):
            lock.unlink()
    add_field(specs, field)
    (found,) = [found for found in diagnostics(specs) if found.startswith(code)]
    assert found.startswith(f"{code} {V6_FILE}:7: ") and words in found


def test_unchanged_removed_field_is_one_error(specs: Path) -> None:
    add_field(specs, "depth: {type: int32, protobuf: 4}")
    assert [found.partition(" ")[0] for found in diagnostics(specs)] == ["AG0406"]


def test_new_field_gets_an_unused_number(specs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_field(specs, "volume: {type: int32}")
    change(specs, "      frobs:    {", "      volume: {type: int32}\n      frobs:    {", V7_FILE)
    monkeypatch.syspath_prepend(tmp_path)
    name = generate_package(specs, tmp_path)
    proto = (tmp_path / name / "things_example_com/v6/types.proto").read_text(encoding="utf-8")
    assert "volume = 10;" in proto


def test_removed_field_requires_a_tombstone(specs: Path) -> None:
    """Without a tombstone, the removal is rejected with a fix to paste. With it, number and name stay reserved."""
    change(specs, WIDTH, "")
    gone = [found for found in diagnostics(specs) if found.startswith("AG0408")]
    assert len(gone) == 1 and "`width` was removed from v6 `Frobber` without a tombstone" in gone[0]

    change(specs, TOMBSTONES, f'{TOMBSTONES}      width: {{protobuf: 6, removed: "1.15"}}\n')
    assert not [found for found in diagnostics(specs) if found.startswith("AG04")]

    add_field(specs, "width: {type: int32}")
    assert [found.partition(" ")[0] for found in diagnostics(specs)] == ["AG0406"]
    change(specs, "      width: {type: int32}\n", "      breadth: {type: int32, protobuf: 6}\n")
    assert [found.partition(" ")[0] for found in diagnostics(specs)] == ["AG0404"]


def test_the_tombstone_is_reserved_in_proto(frobbers: Frobbers) -> None:
    folder = Path(frobbers.module("scheme").__file__).parent
    proto = (folder / "things_example_com/v6/types.proto").read_text(encoding="utf-8")
    assert "reserved 4;" in proto and 'reserved "depth";' in proto


def test_number_of_a_tombstone_is_skipped_on_decode(frobbers: Frobbers) -> None:
    """Old objects still have a depth, which is skipped."""
    wire = frobbers.module("runtime.wire")
    data = wire.wrap("things.example.com/v6", "Frobber", b"\x10\x03\x20\x2a\x1a\x01p")
    obj = frobbers.scheme.decode(data, "application/vnd.kubernetes.protobuf")
    assert (obj.height, obj.param) == (3, "p") and not hasattr(obj, "depth")
