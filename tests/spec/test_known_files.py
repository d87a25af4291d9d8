"""What was read of a file before is read again where anything about it is another, and where anything was wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.spec.build_nodes import build_nodes
from apigen.spec.known_files import KnownFiles
from apigen.spec.load import load_api
from apigen.spec.model import ApiSpec
from apigen.spec.source import SourceFile
from tests.spec.reading import write_group

GROUP = "group: things.example.com\nversions: {v1: {introduced: '1.0'}}\n"
V1 = "types:\n  Frobber:\n    fields:\n      height: {type: int32, default: 3, minimum: 1}\n"
BROKEN = V1.replace("int32", "int32, typo: 1")


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files of which nodes were built."""
    found: list[str] = []

    def counted(file: SourceFile, report: Report) -> object:
        found.append(Path(file.name).name)
        return build_nodes(file, report)

    monkeypatch.setattr("apigen.spec.load.build_nodes", counted)
    return found


def read(folder: Path, known: KnownFiles) -> tuple[ApiSpec, list[str]]:
    report = Report()
    spec = load_api(folder, report, display_root=folder, known=known)
    return spec, [diagnostic.code for diagnostic in report.diagnostics]


def test_a_file_is_read_once(tmp_path: Path, parsed: list[str]) -> None:
    write_group(tmp_path, group=GROUP, v1=V1)
    known = KnownFiles({})
    first = read(tmp_path, known)
    assert sorted(parsed) == ["group.yaml", "v1.yaml"]
    again = KnownFiles(known.all)
    assert read(tmp_path, again) == first == read(tmp_path, KnownFiles({}))
    assert len(parsed) == 4
    assert known.is_new
    assert not again.is_new


def test_a_file_that_changed_is_read_again(tmp_path: Path, parsed: list[str]) -> None:
    write_group(tmp_path, group=GROUP, v1=V1)
    known = KnownFiles({})
    read(tmp_path, known)
    write_group(tmp_path, group=GROUP, v1=V1.replace("int32", "int64"))
    parsed.clear()
    later = KnownFiles(known.all)
    assert read(tmp_path, later) == read(tmp_path, KnownFiles({}))
    assert parsed[:1] == ["v1.yaml"]
    assert later.is_new


def test_errors_are_told_each_time(tmp_path: Path) -> None:
    write_group(tmp_path, group=GROUP, v1=BROKEN)
    known = KnownFiles({})
    first = read(tmp_path, known)
    assert first[1] == ["AG0201"]
    assert read(tmp_path, known) == first == read(tmp_path, KnownFiles(known.all))


def test_errors_that_were_told_before_are_errors(tmp_path: Path) -> None:
    """Two readers of one run, of which the second tells nothing that is new."""
    write_group(tmp_path, group=GROUP, v1=BROKEN)
    known, report = KnownFiles({}), Report()
    for _ in range(2):
        load_api(tmp_path, report, display_root=tmp_path, known=known)
    assert not any("v1.yaml" in name for name in known.all)


def test_what_is_damaged_is_read_again(tmp_path: Path) -> None:
    write_group(tmp_path, group=GROUP, v1=V1)
    known = KnownFiles({})
    first = read(tmp_path, known)
    damaged = {name: (digest, b"cos\nsystem\n(S'false'\ntR.") for name, (digest, _) in known.all.items()}
    assert read(tmp_path, KnownFiles(damaged)) == first
    write_group(tmp_path, group=GROUP, v1=V1.replace("int32", "int64"))
    assert read(tmp_path, KnownFiles(damaged)) == read(tmp_path, KnownFiles({}))


TYPES = "types:\n  A:\n    fields:\n      a: {type: int32}\n  B: {is: string, doc: A name.}\n  C:\n    enum: {One: {}, Two: {}}\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("int32", "int64"),
        ("int32}", "int32, minimum: 1, doc: How many.}"),
        ("A name.", "A longer name."),
        ("Two: {}", "Two: {}, Three: {}"),
        ("  B: {is: string", "  D: {is: int32"),
        ("  C:\n", "  A:\n"),
        ("int32}", "int32, typo: 1}"),
        ("int32", "Nowhere"),
        ("int32}", "int32"),
        ("int32}\n", "int32}\n      b: {type: string}\n"),
        ("{type: int32}", "&same {type: int32}\n      b: *same"),
        ("types:", "types: # of things"),
    ],
)
def test_a_changed_file_is_read_again(tmp_path: Path, old: str, new: str) -> None:
    """With the places, findings and errors of a file of which nothing is known."""
    assert old in TYPES
    known = KnownFiles({})
    write_group(tmp_path, group=GROUP, v1=TYPES)
    read(tmp_path, known)
    write_group(tmp_path, group=GROUP, v1=TYPES.replace(old, new))
    later = KnownFiles(known.all)
    assert read(tmp_path, later) == read(tmp_path, KnownFiles({}))
    assert read(tmp_path, later) == read(tmp_path, KnownFiles({}))
