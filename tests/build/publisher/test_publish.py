"""Files that are written, unchanged, and rejected."""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from apigen.build.publisher import output_folder, whole_folder
from apigen.build.publisher.drift import compare
from apigen.build.publisher.output_folder import PublishConflict, PublishError
from apigen.build.publisher.writer import publish
from apigen.codegen.output import OutputFile, text_file
from tests.build.publisher.folders import MARK, NEW, OLD, files, in_child, populate, snapshot

MANIFEST = ".apigen-manifest.json"


@pytest.fixture(params=["exchanged", "renamed", "no links", "device", "working directory", "repository"])
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An output folder that must be written in one way or another."""
    folder = tmp_path / "out"
    if request.param == "renamed":
        monkeypatch.setattr(whole_folder, "exchange", rejection(errno.ENOSYS))
    elif request.param == "no links":
        monkeypatch.setattr(os, "link", rejection(errno.EPERM))
    elif request.param == "device":
        monkeypatch.setattr(whole_folder, "exchange", rejection(errno.EXDEV))
    elif request.param == "working directory":
        folder.mkdir()
        monkeypatch.chdir(folder)
    elif request.param == "repository":
        (folder / ".git").mkdir(parents=True)
    return folder


@pytest.fixture(autouse=True)
def _no_flushing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests do not lose power, and would spend most of their time waiting for the disk."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


def rejection(code: int) -> Callable[..., Any]:
    def reject(*args: object, **named: object) -> None:
        raise OSError(code, os.strerror(code))

    return reject


def listed(root: Path) -> set[str]:
    return set(json.loads((root / MANIFEST).read_text())["files"])


# --- what is written


def test_first_run(root: Path) -> None:
    published = publish(OLD, root)
    assert published.created == tuple(sorted(file.path for file in OLD))
    assert published.changed == ()
    assert all((root / file.path).read_bytes() == file.content for file in OLD)
    assert listed(root) == {file.path for file in OLD}


def test_later_run(root: Path) -> None:
    populate(root)
    published = publish(NEW, root)
    assert published.created == ("v2/deep/new.py", "v2/new.py")
    assert published.changed == ("a.py", "v1/types.py")
    assert published.unchanged == ("b.py", "v1/same.py")
    assert published.removed == ("gone.py", "v1beta1/types.py")
    assert published.kept == ()
    assert all((root / file.path).read_bytes() == file.content for file in NEW)
    assert not (root / "gone.py").exists()
    assert not (root / "v1beta1").exists(), "neither the folder nor what Python compiled into it"
    assert listed(root) == {file.path for file in NEW}


def test_unknown_files_are_preserved(root: Path) -> None:
    populate(root)
    (root / "v1beta1" / "mine.py").write_text("mine")
    known = {file.path for file in (*OLD, *NEW)} | {MANIFEST}
    before = snapshot(root)
    publish(NEW, root)
    after = snapshot(root)
    for path, found in before.items():
        if path not in known and "__pycache__" not in path:
            assert after[path] == found, path
    assert after["v1beta1/mine.py"][0] == "file"


def test_files_that_stay_the_same_keep_identity_and_times(root: Path) -> None:
    populate(root)
    same = ["b.py", "v1/same.py", "notes.txt", "v1/mine/data.bin"]
    for path in same:
        os.utime(root / path, ns=(1_000_000_007, 1_000_000_007))
    before = [(root / path).stat() for path in same]
    publish(NEW, root)
    for status, path in zip(before, same, strict=True):
        now = (root / path).stat()
        assert (now.st_ino, now.st_mtime_ns, now.st_nlink) == (status.st_ino, status.st_mtime_ns, 1)


def test_unchanged_output_is_not_written(root: Path) -> None:
    populate(root)
    publish(NEW, root)
    before = {place: place.lstat() for place in (root, *root.rglob("*"))}
    assert not publish(NEW, root).differs
    for place, status in before.items():
        now = place.lstat()
        assert (now.st_ino, now.st_mtime_ns, now.st_ctime_ns) == (status.st_ino, status.st_mtime_ns, status.st_ctime_ns)


def test_modes_of_kept_folders_and_changed_files_are_preserved(root: Path) -> None:
    populate(root)
    (root / "v1").chmod(0o750)
    (root / "a.py").chmod(0o700)
    publish(NEW, root)
    assert (root / "v1").stat().st_mode & 0o777 == 0o750
    assert (root / "a.py").stat().st_mode & 0o777 == 0o700


def test_no_temporary_files_remain(root: Path) -> None:
    for output in (OLD, NEW, OLD, NEW):
        publish(output, root)
    assert [entry.name for entry in root.parent.iterdir()] == ["out"]
    assert not (root / ".apigen-work").exists()


def test_same_output_produces_the_same_folder(root: Path, tmp_path: Path) -> None:
    publish(OLD, root)
    publish(NEW, root)
    publish(list(reversed(NEW)), tmp_path / "other")
    found = {path: what for path, what in snapshot(root).items() if path != ".git"}
    assert found == snapshot(tmp_path / "other")


def test_file_becomes_folder_and_back(root: Path) -> None:
    file, folder = files(a="a", b="b"), files(a__c="c", a__d__e="e", b="b")
    for output in (file, folder, file):
        publish(output, root)
        assert {path for path in listed(root) if (root / path).is_file()} == {each.path for each in output}
    assert not (root / "a").is_dir()


def test_no_output_and_no_folder(tmp_path: Path) -> None:
    publish([], tmp_path / "some" / "out")
    assert not (tmp_path / "some").exists()


def test_all_output_is_removed(root: Path) -> None:
    publish(OLD, root)
    publish([], root)
    assert {place.name for place in root.iterdir()} <= {MANIFEST, ".git"}


def test_output_folder_reached_by_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").symlink_to("elsewhere")
    publish(NEW, tmp_path / "out")
    assert (tmp_path / "out").is_symlink()
    assert (tmp_path / "elsewhere" / "a.py").exists()


def test_file_saved_during_the_run_is_preserved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "out"
    populate(root)
    real = output_folder.write_all

    def write_all(folder: Path, contents: dict[str, bytes]) -> None:
        real(folder, contents)
        if "state" in contents:
            (root / "aside").write_text("saved meanwhile")
            (root / "aside").replace(root / "notes.txt")
            (root / "v1" / "fresh.txt").write_text("made meanwhile")

    monkeypatch.setattr(whole_folder, "write_all", write_all)
    publish(NEW, root)
    assert (root / "notes.txt").read_text() == "saved meanwhile"
    assert (root / "v1" / "fresh.txt").read_text() == "made meanwhile"
    assert (root / "a.py").read_bytes() == NEW[0].content
    assert not (root / "gone.py").exists()


# --- what is rejected


@pytest.fixture
def rejected(root: Path) -> Iterator[Path]:
    """A folder that must be the same after a rejection."""
    publish(OLD, root)
    yield root
    before = snapshot(root)
    with pytest.raises(PublishConflict) as caught:
        publish(NEW, root)
    assert snapshot(root) == before
    assert "so no file was written" in str(caught.value)
    assert "run again" in str(caught.value)
    for obstacle in caught.value.obstacles:
        assert f"{root / obstacle.path}: {obstacle.reason}" in str(caught.value)


def test_rejected_file_that_apigen_did_not_generate(rejected: Path) -> None:
    (rejected / "v2").mkdir()
    (rejected / "v2" / "new.py").write_text("by hand")


def test_rejected_marked_file_missing_from_the_manifest(rejected: Path) -> None:
    (rejected / "v2").mkdir()
    (rejected / "v2" / "new.py").write_text(f"{MARK}copied from elsewhere")


def test_rejected_generated_file_that_was_rewritten(rejected: Path) -> None:
    (rejected / "a.py").write_text("by hand")


def test_rejected_folder_in_place_of_a_file(rejected: Path) -> None:
    (rejected / "v2" / "new.py").mkdir(parents=True)


def test_rejected_file_in_place_of_a_folder(rejected: Path) -> None:
    (rejected / "v2").write_text("by hand")


def test_rejected_link_to_a_file_outside(rejected: Path, tmp_path: Path) -> None:
    (tmp_path / "victim").write_bytes(OLD[0].content)
    (rejected / "a.py").unlink()
    (rejected / "a.py").symlink_to(tmp_path / "victim")


def test_rejected_link_to_a_folder_outside(rejected: Path, tmp_path: Path) -> None:
    shutil.move(rejected / "v1", tmp_path / "victim")
    (rejected / "v1").symlink_to(tmp_path / "victim")


def test_rejected_pipe(rejected: Path) -> None:
    (rejected / "v2").mkdir()
    os.mkfifo(rejected / "v2" / "new.py")


def test_all_obstacles_are_named(root: Path) -> None:
    publish(OLD, root)
    (root / "a.py").write_text("by hand")
    (root / "v2").write_text("by hand")
    with pytest.raises(PublishConflict) as caught:
        publish(NEW, root)
    assert [(obstacle.path, obstacle.reason) for obstacle in caught.value.obstacles] == [
        ("a.py", "a generated file that was edited"),
        ("v2/deep/new.py", "v2 is a file"),
        ("v2/new.py", "v2 is a file"),
    ]


def test_existing_file_with_expected_content_is_adopted(root: Path) -> None:
    (root / "v1").mkdir(parents=True)
    (root / "v1" / "same.py").write_bytes(files(v1__same_py="same")[0].content)
    assert publish(OLD, root).unchanged == ("v1/same.py",)
    assert "v1/same.py" in listed(root)


def test_edited_file_with_the_mark_is_overwritten(root: Path) -> None:
    publish(OLD, root)
    (root / "a.py").write_text(f"{MARK}a = 17\n<<<<<<< ours\n")
    assert publish(NEW, root).changed == ("a.py", "v1/types.py")


def test_rewritten_stale_file_is_kept_and_no_longer_tracked(root: Path) -> None:
    publish(OLD, root)
    (root / "gone.py").write_text("by hand")
    published = publish(NEW, root)
    assert (published.kept, published.removed) == (("gone.py",), ("v1beta1/types.py",))
    assert (root / "gone.py").read_text() == "by hand"
    assert "gone.py" not in listed(root)


def test_stale_file_behind_a_link_is_preserved(root: Path, tmp_path: Path) -> None:
    publish(OLD, root)
    shutil.move(root / "v1beta1", tmp_path / "victim")
    (root / "v1beta1").symlink_to(tmp_path / "victim")
    publish(NEW, root)
    assert (tmp_path / "victim" / "types.py").exists()
    assert (root / "v1beta1").is_symlink()


# --- the list of files


def test_manifest_with_a_merge_conflict(root: Path) -> None:
    publish(OLD, root)
    text = (root / MANIFEST).read_text()
    lines = text.splitlines(keepends=True)
    (root / MANIFEST).write_text("".join([*lines[:4], "<<<<<<< HEAD\n", *lines[4:6], "=======\n", *lines[6:]]))
    publish(NEW, root)
    assert listed(root) == {file.path for file in NEW}
    assert not (root / "gone.py").exists()


def test_missing_manifest(root: Path) -> None:
    """Existing files with the wanted contents are adopted; others must be moved away by the user."""
    publish(OLD, root)
    (root / MANIFEST).unlink()
    publish(OLD, root)
    (root / MANIFEST).unlink()
    with pytest.raises(PublishConflict):
        publish(NEW, root)


@pytest.mark.parametrize("path", ["../victim", "/etc/victim", "a/../../victim", "v1/../victim", "", "a//b", "."])
def test_manifest_path_outside_of_the_folder(root: Path, tmp_path: Path, path: str) -> None:
    publish(OLD, root)
    (tmp_path / "victim").write_text(MARK)
    manifest = json.loads((root / MANIFEST).read_text())
    manifest["files"][path] = "0" * 64
    (root / MANIFEST).write_text(json.dumps(manifest, indent=1))
    publish(NEW, root)
    assert (tmp_path / "victim").exists()


# --- links where apigen works


@pytest.mark.parametrize("where", [".out.apigen", "out/.apigen-work"])
def test_link_in_place_of_the_work_folder(tmp_path: Path, where: str) -> None:
    publish(OLD, tmp_path / "out")
    (tmp_path / "victim" / "tree").mkdir(parents=True)
    (tmp_path / "victim" / "stage").mkdir()
    (tmp_path / where).symlink_to(tmp_path / "victim")
    with pytest.raises(PublishError, match="is not a folder"):
        publish(NEW, tmp_path / "out")
    with pytest.raises(PublishError, match="is not a folder"):
        compare(NEW, tmp_path / "out")
    assert {entry.name for entry in (tmp_path / "victim").iterdir()} == {"tree", "stage"}


# --- what the system rejects


@pytest.mark.parametrize("name", ["fsync", "chmod"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EIO])
def test_error_of_the_system(root: Path, monkeypatch: pytest.MonkeyPatch, name: str, code: int) -> None:
    populate(root)
    before = snapshot(root)
    with monkeypatch.context() as patched:
        patched.setattr(os, name, rejection(code))
        with pytest.raises(PublishError, match=f"cannot write the output to .*: {os.strerror(code)}"):
            publish(NEW, root)
    assert snapshot(root) == before
    assert [entry.name for entry in root.parent.iterdir()] == ["out"]
    publish(NEW, root)


def test_output_folder_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("by hand")
    with pytest.raises(PublishError, match="it is a file"):
        publish(NEW, tmp_path / "out")


@pytest.fixture
def everyones_folder() -> Iterator[Path]:
    """A folder that a process without rights can reach, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


def without_rights(action: Callable[[], object]) -> None:
    def run() -> None:
        if os.geteuid() == 0:
            os.setgid(65534)
            os.setuid(65534)
        action()

    assert in_child(run) == 0


def test_folder_that_cannot_be_written(everyones_folder: Path) -> None:
    root = everyones_folder / "closed" / "out"
    publish(OLD, root)
    root.chmod(0o555)
    root.parent.chmod(0o555)
    before = snapshot(root)

    def action() -> None:
        with pytest.raises(PublishError, match="is writable"):
            publish(NEW, root)
        publish(OLD, root)
        assert compare(NEW, root)

    without_rights(action)
    assert snapshot(root) == before


def test_parent_folder_cannot_be_written(everyones_folder: Path) -> None:
    root = everyones_folder / "closed" / "out"
    root.mkdir(parents=True)
    root.chmod(0o777)
    root.parent.chmod(0o555)

    def action() -> None:
        publish(OLD, root)
        publish(NEW, root)

    without_rights(action)
    assert listed(root) == {file.path for file in NEW}
    assert not (root / ".apigen-work").exists()


def test_file_that_cannot_be_read(everyones_folder: Path) -> None:
    root = everyones_folder / "out"
    without_rights(lambda: publish(OLD, root))
    (root / "a.py").chmod(0)

    def action() -> None:
        with pytest.raises(PublishError, match="Permission denied"):
            publish(NEW, root)

    without_rights(action)


# --- paths


@pytest.mark.parametrize(
    "path",
    ["", "/a", "../a", "a/../b", "a/..", ".", "./a", "a/./b", "a//b", "a/", "a\\b", "a\nb", "a\0b", "a\x7fb", "\ud800"],
)
def test_unsafe_path_is_rejected(path: str) -> None:
    with pytest.raises(ValueError, match="a path"):
        OutputFile(path, b"")


@pytest.mark.parametrize("path", ["a", "a/b.py", ".hidden", "..a/b..", "ü/漢.py", "a b"])
def test_plain_path(path: str) -> None:
    assert OutputFile(path, b"").path == path


@pytest.mark.parametrize(
    ("paths", "problem"),
    [
        (("a", "a"), "have the path"),
        (("a", "a/b"), "have the path"),
        ((MANIFEST,), "reserved name"),
        ((".apigen-work/a",), "reserved name"),
    ],
)
def test_paths_that_exclude_each_other(tmp_path: Path, paths: tuple[str, ...], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        publish([text_file(path, "") for path in paths], tmp_path / "out")
