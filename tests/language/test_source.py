"""Reading files as text. Unreadable files are in the diagnostic cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Place, Report
from apigen.language.source import SourceFile, Sources


def read(folder: Path, data: bytes) -> tuple[SourceFile | None, Report]:
    path = folder / "v1.yaml"
    path.write_bytes(data)
    report = Report()
    return Sources(report).read(path, "v1.yaml"), report


def test_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    file, report = read(tmp_path, b"\xef\xbb\xbftypes: {}\n")
    assert file is not None
    assert file.text == "types: {}\n"
    assert report.diagnostics == ()


@pytest.mark.parametrize("data", [b"a\r\nb\xe9", b"a\rb\xe9", b"a\nb\xe9", "\ufeffa\nb".encode() + b"\xe9"])
def test_line_endings_follow_yaml(tmp_path: Path, data: bytes) -> None:
    file, report = read(tmp_path, data)
    assert file is None
    (found,) = report.diagnostics
    assert (found.code, found.place, found.source_line) == ("AG0104", Place("v1.yaml", 2, 2), "b\ufffd")


@pytest.mark.parametrize(
    "character", ["\x00", "\x1b", "\x7f", "\x85", "\u2028", "\u202e", "\u2066", "\ufeff", "\uffff"]
)
def test_invisible_characters_are_rejected(tmp_path: Path, character: str) -> None:
    file, report = read(tmp_path, f"a: b\nc: d{character}e\n".encode())
    assert file is None
    (found,) = report.diagnostics
    assert (found.code, found.place) == ("AG0107", Place("v1.yaml", 2, 5))


@pytest.mark.parametrize(
    "text", ["a: é日本😀\n", "a: \u200fעברית\n", "a: <<<<<<<\n", "a: |\n  <<<<<<< no marker\n", "======= \n"]
)
def test_other_text_is_read(tmp_path: Path, text: str) -> None:
    file, report = read(tmp_path, text.encode())
    assert file is not None
    assert file.text == text
    assert report.diagnostics == ()


def test_source_lines_of_several_files_are_kept(tmp_path: Path) -> None:
    report = Report()
    for name in ("old.yaml", "new.yaml"):
        (tmp_path / name).write_text(f"of {name}\n")
        Sources(report).read(tmp_path / name, name)
    for name in ("old.yaml", "new.yaml", "other.yaml"):
        report.error("AG0110", Place(name, 1, 1), "x")
    assert [d.source_line for d in report.diagnostics] == ["of new.yaml", "of old.yaml", None]
