"""Pipes, folders and cyclic links in place of a file: an error with a code, and the run does not wait for a pipe."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.files.regular_files import NotAFileError, read_regular
from apigen.inputs.source import Setting
from apigen.review.sources.loading import load

FORMS = ("crd", "jsonschema", "proto", "specs", "go")
NAMES = ("x.yaml", "x.json", "x.proto", "x.binpb")


def codes(said: str, folder: Path) -> list[str]:
    report = Report()
    assert load(said, Setting(folder), report) is None
    return [each.code for each in report.diagnostics]


@pytest.mark.parametrize("form", ["", *FORMS])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("make", ["pipe", "folder", "loop"])
def test_special_files_are_rejected(form: str, name: str, make: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if make == "pipe":
        os.mkfifo(path)
    elif make == "folder":
        path.mkdir()
    else:
        path.symlink_to(path)
    assert codes(f"{form}:{name}" if form else name, tmp_path)


def test_file_replaced_by_a_pipe_after_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every check of the file type returns the state before the replacement."""
    for name in NAMES:
        os.mkfifo(tmp_path / name)
    (tmp_path / "file").touch()
    before = (tmp_path / "file").stat()
    stat_of = Path.stat

    def answer(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        return before if path.name in NAMES else stat_of(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", answer)
    monkeypatch.setattr(Path, "is_file", lambda path: stat.S_ISREG(path.stat().st_mode))
    for form, name in (("crd", "x.yaml"), ("jsonschema", "x.json"), ("proto", "x.proto"), ("proto", "x.binpb")):
        assert codes(f"{form}:{name}", tmp_path), name
        assert codes(name, tmp_path), name


def test_an_import_of_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "b.proto")
    (tmp_path / "a.proto").write_text('syntax = "proto3"; package a.v1; import "b.proto";', encoding="utf-8")
    assert codes("a.proto", tmp_path) == ["AG1445"]


@pytest.mark.parametrize(
    ("target", "said", "told"),
    [("gone", "x.json", "x.json"), ("x.json", "x.json", "x.json"), ("gone", "x.json/a", "x.json")],
)
def test_dangling_link_is_reported(target: str, said: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").symlink_to(target)
    report = Report()
    assert load(said, Setting(tmp_path), report) is None
    found = report.diagnostics[0]
    assert found.message == f"`{told}` is a broken link to `{target}`"
    assert found.hint is not None and "did you mean" not in found.hint


def test_special_file_is_reported(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, what in ((tmp_path / "pipe", "a pipe, socket or device"), (tmp_path, "a folder")):
        with pytest.raises(NotAFileError, match=what):
            read_regular(path)
